import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { get } from "@/kernel/api/client";
import { useTranslation } from "@/kernel/i18n";

interface Judgement {
  valid: boolean;
  literal: boolean;
  column: number;
  message: string;
}

const PAUSE = 400;

/** Longer ones are refused by the server anyway. */
const MAX = 4096;

/** What the server's parser says against a text, "" when nothing or when it was not asked. */
export function useExpressionCheck(text: string, expression: "may" | "must" | undefined): string {
  const { t } = useTranslation("panel");
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  const asks = expression !== undefined && /[$#]\{/.test(settled) && settled.length <= MAX;
  const { data } = useQuery({
    queryKey: ["/bpm/model/check-expression", settled],
    queryFn: ({ signal }) =>
      get<Judgement>("/bpm/model/check-expression", { expression: settled }, { silent: true, signal }),
    enabled: asks,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (expression === undefined || settled !== text) return "";
  if (text.length > MAX) return t("expression.long", { max: MAX });
  if (data && !data.valid) return data.message;
  const plain = expression === "must" && text.trim() !== "" && !/[$#]\{/.test(text);
  return plain ? t("expression.plain") : "";
}
