import { useQuery } from "@tanstack/react-query";
import { Form, type FormInstance, Select } from "antd";
import { get, type PageOf } from "@/kernel/api/client";
import { useTranslation } from "@/kernel/i18n";
import type { ListenerKind, ListenerValues } from "./listener";

interface Stored {
  id: number;
  name: string;
  event: string;
  valueType: "class" | "expression" | "delegateExpression";
  value: string;
}

interface Props {
  use: "execution" | "task";
  form: FormInstance<ListenerValues>;
}

/** Takes over a listener that an administrator keeps for designers; nothing when there are none. */
export function StoredListener({ use, form }: Props) {
  const { t } = useTranslation("panel");
  const { data } = useQuery({
    queryKey: ["/bpm/process-listener", use],
    queryFn: ({ signal }) =>
      get<PageOf<Stored>>(
        "/bpm/process-listener/page",
        { status: 0, type: use, pageSize: 500 },
        { silent: true, signal },
      ),
    staleTime: 60_000,
    retry: false,
  });
  const rows = data?.list ?? [];
  if (rows.length === 0) return null;
  const take = (id: number) => {
    const row = rows.find((one) => one.id === id);
    if (!row) return;
    form.setFieldsValue({
      event: row.event,
      listenerType: `${row.valueType}Listener` as ListenerKind,
      [row.valueType]: row.value,
    });
  };
  return (
    <Form.Item label={t("listener.stored")} htmlFor="stored-listener">
      <Select
        id="stored-listener"
        placeholder={t("listener.storedChoose")}
        showSearch={{ optionFilterProp: "label" }}
        onChange={take}
        options={rows.map((row) => ({ value: row.id, label: `${row.name} · ${row.value}` }))}
      />
    </Form.Item>
  );
}
