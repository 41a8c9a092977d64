import { useQuery } from "@tanstack/react-query";
import { Form, Select } from "antd";
import { useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { formatTime } from "@/kernel/rules";
import { processNames, versionsOf } from "./calls";
import type { Plan } from "./wire";

interface Props {
  plan: Plan;
  onChange: (part: Partial<Plan>) => void;
  /** Hears the number of the chosen target. */
  onVersion: (version: number) => void;
}

/** Which process, from which version to which. */
export function VersionChoice({ plan, onChange, onVersion }: Props) {
  const { t } = useTranslation("workflow");
  const [key, setKey] = useState("");
  const names = useQuery({
    queryKey: ["/bpm/process-definition", "names"],
    queryFn: ({ signal }) => processNames(signal),
    retry: false,
  });
  const versions = useQuery({
    queryKey: ["/bpm/process-definition", "versions", key],
    queryFn: ({ signal }) => versionsOf(key, signal),
    enabled: key !== "",
    retry: false,
  });
  const choices = (without: string) =>
    (versions.data ?? [])
      .filter((row) => row.id !== without)
      .map((row) => ({
        value: row.id,
        label: t("migration.version", {
          version: row.version,
          time: formatTime(row.deploymentTime, "YYYY-MM-DD HH:mm"),
        }),
      }));
  const numberOf = (id: string) => versions.data?.find((row) => row.id === id)?.version ?? 0;
  const shared = {
    disabled: key === "",
    loading: versions.isFetching,
    placeholder: key === "" ? t("migration.chooseFirst") : t("migration.choose"),
  };
  return (
    <Form layout="vertical" component="div">
      <Form.Item label={t("migration.process")} htmlFor="migration-process">
        <Select<string>
          id="migration-process"
          value={key || undefined}
          placeholder={t("migration.choose")}
          loading={names.isFetching}
          showSearch={{ optionFilterProp: "label" }}
          options={(names.data ?? []).map((row) => ({ value: row.key, label: `${row.name}（${row.key}）` }))}
          onChange={(next) => {
            setKey(next);
            onChange({ sourceDefinitionId: "", targetDefinitionId: "" });
          }}
        />
      </Form.Item>
      <Form.Item label={t("migration.source")} htmlFor="migration-source">
        <Select<string>
          {...shared}
          id="migration-source"
          value={plan.sourceDefinitionId || undefined}
          options={choices(plan.targetDefinitionId)}
          onChange={(sourceDefinitionId) => onChange({ sourceDefinitionId })}
        />
      </Form.Item>
      <Form.Item label={t("migration.target")} htmlFor="migration-target" style={{ marginBottom: 0 }}>
        <Select<string>
          {...shared}
          id="migration-target"
          value={plan.targetDefinitionId || undefined}
          options={choices(plan.sourceDefinitionId)}
          onChange={(targetDefinitionId) => {
            onChange({ targetDefinitionId });
            onVersion(numberOf(targetDefinitionId));
          }}
        />
      </Form.Item>
    </Form>
  );
}
