import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { get } from "@/kernel/api/client";

interface Props {
  id?: string;
  value?: string | null;
  onChange?: (value: string | undefined) => void;
  placeholder?: string;
  "aria-label"?: string;
  style?: React.CSSProperties;
}

/** Chooses a process category; models refer to it by its code. */
export function CategorySelect({ value, ...rest }: Props) {
  const { data, isFetching } = useQuery({
    queryKey: ["/bpm/category", "simple"],
    queryFn: ({ signal }) =>
      get<{ name: string; code: string }[]>("/bpm/category/simple-list", undefined, { silent: true, signal }),
    staleTime: 60_000,
    retry: false,
  });
  return (
    <Select<string>
      style={{ width: "100%" }}
      {...rest}
      value={value || undefined}
      allowClear
      showSearch={{ optionFilterProp: "label" }}
      loading={isFetching}
      options={(data ?? []).map(({ name, code }) => ({ value: code, label: name }))}
    />
  );
}
