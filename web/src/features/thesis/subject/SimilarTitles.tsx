import { useQuery } from "@tanstack/react-query";
import { Alert } from "antd";
import { useEffect, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { thesisKey } from "../shared/calls";
import { lengthOf } from "../shared/length";
import type { SimilarTitle } from "../shared/subjectWire";
import { findSimilar } from "./calls";
import { TITLE_MAX, TITLE_MIN } from "./form";

const PAUSE = 500;

/** Warns of titles that resemble the typed one; a warning never blocks. */
export function SimilarTitles({ title }: { title: string }) {
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(title.trim()), PAUSE);
    return () => clearTimeout(timer);
  }, [title]);
  const { data } = useQuery({
    queryKey: [thesisKey, "similar", asked],
    queryFn: ({ signal }) => findSimilar(asked, signal),
    enabled: lengthOf(asked) >= TITLE_MIN && lengthOf(asked) <= TITLE_MAX,
    staleTime: 60_000,
    retry: false,
  });
  return <div aria-live="polite">{data?.length ? <SimilarList titles={data} /> : null}</div>;
}

export function SimilarList({ titles }: { titles: SimilarTitle[] }) {
  const { t } = useTranslation("thesis");
  return (
    <Alert
      type="warning"
      showIcon
      style={{ marginBottom: 16 }}
      title={t("similar.title", { n: titles.length })}
      description={
        <ul className="th-plain">
          {titles.map((item) => (
            <li key={`${item.entryYear}-${item.titleZh}`}>
              {item.titleZh}{" "}
              <span className="th-quiet">
                {t("similar.rate", { rate: Math.round(item.score * 100), year: item.entryYear })}
              </span>
            </li>
          ))}
        </ul>
      }
    />
  );
}
