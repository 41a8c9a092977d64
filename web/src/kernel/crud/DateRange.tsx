import { DatePicker } from "antd";
import dayjs from "dayjs";

interface Props {
  id: string;
  label: string;
  from: string;
  to: string;
  onChange: (from: string, to: string) => void;
}

/** Two days as yyyy-MM-dd; either end may stay open. */
export function DateRange({ id, label, from, to, onChange }: Props) {
  const text = (day: dayjs.Dayjs | null | undefined) => day?.format("YYYY-MM-DD") ?? "";
  return (
    <DatePicker.RangePicker
      id={{ start: id, end: `${id}-end` }}
      aria-label={label}
      allowEmpty={[true, true]}
      value={[from ? dayjs(from) : null, to ? dayjs(to) : null]}
      onChange={(range) => onChange(text(range?.[0]), text(range?.[1]))}
      style={{ width: "100%" }}
    />
  );
}
