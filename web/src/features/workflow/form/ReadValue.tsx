import { Flex } from "antd";
import { RefText } from "@/kernel/crud";
import { t } from "@/kernel/i18n";
import { formatTime } from "@/kernel/rules";
import { FileLink } from "@/kernel/upload";
import { Pictures, refPaths, useFieldOptions } from "./controls";
import { type FormField, fieldOf } from "./field";
import { isObject } from "./json";
import type { Item } from "./model";
import { dateFromWire, isEmpty, optionOf } from "./values";

interface Props {
  item: Item;
  value: unknown;
}

/** A value as it is read, also on paper. */
export function ReadValue({ item, value }: Props) {
  const field = fieldOf(item);
  if (field.kind === "table") return <ReadRows item={item} value={value} />;
  if (isEmpty(value)) return <span className="form-none">{t("workflow:fill.none")}</span>;
  switch (field.kind) {
    case "number":
    case "money":
      return <>{numberText(field, value)}</>;
    case "switch":
      return <>{t(String(value) === String(field.on) ? "kernel:action.yes" : "kernel:action.no")}</>;
    case "date":
    case "dateTime":
    case "time":
      return <>{dateText(field, value)}</>;
    case "dateRange":
      return (
        <>
          {listOf(value)
            .map((end) => dateText(field, end))
            .join(` ${t("workflow:fill.to")} `)}
        </>
      );
    case "select":
    case "radio":
    case "checkbox":
      return <ReadChoice field={field} value={value} />;
    case "user":
    case "dept":
      return <RefText path={refPaths[field.kind]} value={value} />;
    case "file":
    case "image":
      return <ReadFiles field={field} value={value} />;
    default:
      return <span className="form-text">{plain(value)}</span>;
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

/** Values of other clients may have any shape. */
function plain(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function numberText(field: FormField, value: unknown): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return plain(value);
  const digits = field.precision;
  const text = number.toLocaleString(undefined, {
    minimumFractionDigits: digits ?? 0,
    maximumFractionDigits: digits ?? 20,
  });
  return field.kind === "money" ? `¥ ${text}` : text;
}

function dateText(field: FormField, value: unknown): string {
  const read = dateFromWire(value, field);
  if (!read) return plain(value);
  if (field.kind === "time") return read.format("HH:mm");
  return formatTime(read.valueOf(), field.kind === "dateTime" || field.withTime ? undefined : "YYYY-MM-DD");
}

function ReadChoice({ field, value }: { field: FormField; value: unknown }) {
  const options = useFieldOptions(field);
  return (
    <>
      {listOf(value)
        .map((one) => optionOf({ options }, one)?.label ?? plain(one))
        .join("、")}
    </>
  );
}

function ReadFiles({ field, value }: { field: FormField; value: unknown }) {
  const ids = listOf(value).flatMap((id) => (typeof id === "number" ? [id] : []));
  // Other systems of the family keep addresses, which are shown, not fetched.
  const other = listOf(value).filter((one) => typeof one !== "number");
  return (
    <Flex vertical align="start" gap={4}>
      {field.kind === "image" ? <Pictures label={field.label} ids={ids} /> : null}
      {field.kind === "file" ? ids.map((id) => <FileLink key={id} id={id} />) : null}
      {other.map((one) => (
        <span key={plain(one)}>{plain(one)}</span>
      ))}
    </Flex>
  );
}

function ReadRows({ item, value }: Props) {
  const rows = Array.isArray(value) ? value.filter(isObject) : [];
  if (rows.length === 0) return <span className="form-none">{t("workflow:fill.none")}</span>;
  return (
    <div className="form-scroll">
      <table className="form-table" aria-label={fieldOf(item).label}>
        <thead>
          <tr>
            {item.children.map((column) => (
              <th key={column.key} scope="col">
                {fieldOf(column).label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows that are only read have no other name
            <tr key={index}>
              {item.children.map((column) => (
                <td key={column.key}>
                  <ReadValue item={column} value={row[fieldOf(column).name]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
