import { Flex } from "antd";
import { lazy, Suspense } from "react";
import { DictTag } from "@/kernel/dict";
import { t } from "@/kernel/i18n";
import { formatTime, isHttpLink } from "@/kernel/rules";
import { TimeText } from "@/kernel/ui/TimeText";
import { FileLink } from "@/kernel/upload";
import type { Field } from "./entity";
import { RefText } from "./RefSelect";

const SafeHtml = lazy(() => import("@/kernel/html/SafeHtml").then((part) => ({ default: part.SafeHtml })));

interface Props {
  field: Field;
  value: unknown;
  /** Tables show one line; details show everything. */
  brief?: boolean;
}

/** The value of a field as text, tag, link or formatted content, by the field's kind. */
export function FieldText({ field, value, brief = false }: Props) {
  if (isEmpty(field, value)) return null;
  switch (field.kind) {
    case "dict":
      return <DictTag type={field.dict ?? ""} value={value} />;
    case "bool":
      return <>{t(value ? "kernel:action.yes" : "kernel:action.no")}</>;
    case "int":
      return <>{field.name === "id" ? String(value) : Number(value).toLocaleString()}</>;
    case "money":
      return <>{moneyText(Number(value))}</>;
    case "time":
      return <TimeText value={value as number} />;
    case "date":
      return <>{formatTime(value as number | string, "YYYY-MM-DD")}</>;
    case "ref":
    case "refs":
      return <RefText path={field.ref} value={value} />;
    case "names":
      return (value as string[]).join("、");
    case "url":
      return <ExternalText address={String(value)} />;
    case "file":
    case "files":
      return <Files value={value} />;
    case "richtext":
      return brief ? plain(String(value)) : <Html html={String(value)} />;
    case "longtext":
      return brief ? String(value) : <span style={{ whiteSpace: "pre-wrap" }}>{String(value)}</span>;
    default:
      return String(value);
  }
}

function Files({ value }: { value: unknown }) {
  const ids = (Array.isArray(value) ? value : [value]) as number[];
  return (
    <Flex vertical align="start">
      {ids.map((id) => (
        <FileLink key={id} id={id} />
      ))}
    </Flex>
  );
}

export function moneyText(cents: number): string {
  return (cents / 100).toLocaleString(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

function plain(html: string): string {
  return new DOMParser().parseFromString(html, "text/html").body.textContent ?? "";
}

/** References and files say "none" with 0. */
function isEmpty(field: Field, value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return (field.kind === "ref" || field.kind === "file") && Number(value) === 0;
}

function ExternalText({ address }: { address: string }) {
  if (!isHttpLink(address)) return address;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer">
      {address}
    </a>
  );
}

function Html({ html }: { html: string }) {
  return (
    <Suspense fallback={null}>
      <SafeHtml html={html} />
    </Suspense>
  );
}
