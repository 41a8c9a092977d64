import { useQuery } from "@tanstack/react-query";
import { Alert, Button, Drawer, Flex, Form, Skeleton } from "antd";
import { useState } from "react";
import { ApiError, errorText } from "@/kernel/api/errors";
import { showRefusedFields } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { confirmLeave, ErrorState, toast, useMobile, useUnsaved } from "@/kernel/ui";
import type { Model } from "../entity";
import { HookSection } from "./HookSection";
import { NumberSection } from "./NumberSection";
import { PrintSection } from "./PrintSection";
import { RefusedMembers } from "./Refused";
import { DecisionSection, NamingSection, PeopleSection } from "./Sections";
import { members, readSettings, type Settings, saveSettings, settingsOf } from "./settings";
import { useFormFields } from "./useFormFields";
import "./settings.css";

interface Props {
  model: Model;
  onDone: () => Promise<void>;
  onClose: () => void;
}

const formId = "model-settings";

/** What a process does beside its diagram and form; it counts from the next deployment on. */
export function SettingsDrawer({ model, onDone, onClose }: Props) {
  const { t } = useTranslation("workflow");
  const mobile = useMobile();
  const [form] = Form.useForm<Settings>();
  const [dirty, setDirty] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const [refused, setRefused] = useState<Record<string, string>>({});
  const fields = useFormFields(model.formId);
  const stored = useQuery({
    queryKey: ["/bpm/model", "settings", model.id],
    queryFn: ({ signal }) => readSettings(model.id, signal),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  useUnsaved(dirty);

  const close = async () => {
    if (!dirty || (await confirmLeave())) onClose();
  };
  const save = async () => {
    if (!stored.data) return;
    setBusy(true);
    setProblem("");
    setRefused({});
    try {
      // Inputs that are switched off are not on the form; what they held is kept.
      const shown = form.getFieldsValue(true) as Settings;
      await saveSettings(stored.data, { ...settingsOf(stored.data), ...shown });
      toast.success(t("settings.saved", { name: model.name }));
      await onDone();
      onClose();
    } catch (error) {
      showRefusedFields(form, error, members);
      setRefused((error instanceof ApiError && error.fields) || {});
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Drawer
      open
      onClose={() => void close()}
      mask={{ closable: false }}
      size={mobile ? "100%" : 720}
      title={t("settings.heading", { name: model.name })}
      footer={
        <Flex gap={8} justify="end">
          <Button onClick={() => void close()}>{t("kernel:action.cancel")}</Button>
          <Button type="primary" htmlType="submit" form={formId} loading={busy} disabled={!stored.data}>
            {t("settings.save")}
          </Button>
        </Flex>
      }
    >
      <Alert type="info" title={t("settings.about")} style={{ marginBottom: 16 }} />
      {problem ? <Alert type="error" role="alert" title={problem} style={{ marginBottom: 16 }} /> : null}
      {stored.isPending ? <Skeleton active /> : null}
      {stored.error ? <ErrorState error={stored.error} onRetry={() => void stored.refetch()} /> : null}
      {stored.data ? (
        <Form<Settings>
          id={formId}
          name={formId}
          form={form}
          layout="vertical"
          validateTrigger="onBlur"
          initialValues={settingsOf(stored.data)}
          scrollToFirstError
          onValuesChange={() => setDirty(true)}
          onFinish={() => void save()}
        >
          <RefusedMembers value={refused}>
            <Section title={t("settings.people")}>
              <PeopleSection />
            </Section>
            <Section title={t("settings.naming")}>
              <NamingSection fields={fields} />
            </Section>
            <Section title={t("settings.number")}>
              <NumberSection />
            </Section>
            <Section title={t("settings.decisions")}>
              <DecisionSection />
            </Section>
            <Section title={t("settings.print")}>
              <PrintSection fields={fields} />
            </Section>
            <Section title={t("settings.hooks")}>
              <HookSection fields={fields} />
            </Section>
          </RefusedMembers>
        </Form>
      ) : null}
    </Drawer>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="settings-section" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
