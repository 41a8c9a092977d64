import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Alert, Button, Flex, Form, Input, Skeleton } from "antd";
import { useState } from "react";
import { useAccess } from "@/kernel/access";
import { get, put } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { requiredMark, showRefusedFields } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { stripTags } from "@/kernel/rules";
import { ErrorState, PageHeader, toast, useUnsaved } from "@/kernel/ui";
import { LogoInput } from "./LogoInput";

interface Site {
  id: number;
  name: string;
  signDescription: string;
  url: string;
  version: number;
}

const path = "/thesis/system-config";

/** How the product presents itself in this tenant. */
export default function SitePage() {
  const { t } = useTranslation("system");
  const { data, error, refetch } = useQuery({
    queryKey: [path, "edit"],
    queryFn: ({ signal }) => get<Site>(`${path}/get`, { id: 1 }, { silent: true, signal }),
    staleTime: 0,
    retry: false,
  });
  return (
    <>
      <PageHeader title={t("site.title")} description={t("site.about")} />
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton active paragraph={{ rows: 6 }} /> : null}
      {data ? <SiteForm key={data.version} site={data} onDone={refetch} /> : null}
    </>
  );
}

function SiteForm({ site, onDone }: { site: Site; onDone: () => Promise<unknown> }) {
  const { t } = useTranslation("system");
  const client = useQueryClient();
  const mayUpdate = useAccess().hasPermission(["thesis:system-config:update"]);
  const [form] = Form.useForm<Site>();
  const name = Form.useWatch<string | undefined>("name", form) ?? site.name;
  const [dirty, setDirty] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  useUnsaved(dirty);
  const save = async (values: Site) => {
    setBusy(true);
    setProblem("");
    try {
      await put(`${path}/update`, { ...values, id: 1, version: site.version }, { silent: true });
      setDirty(false);
      toast.success(t("site.saved"));
      // The frame shows the name and the logo under a key of its own.
      await client.invalidateQueries({ queryKey: ["thesis", "system-config"] });
      await onDone();
    } catch (error) {
      if (showRefusedFields(form, error).length === 0) setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Form<Site>
      form={form}
      layout="vertical"
      requiredMark={requiredMark}
      disabled={!mayUpdate}
      validateTrigger="onBlur"
      initialValues={site}
      onValuesChange={() => setDirty(true)}
      onFinish={(values) => void save(values)}
      style={{ maxWidth: 560 }}
    >
      {problem ? <Alert type="error" role="alert" title={problem} style={{ marginBottom: 16 }} /> : null}
      <Form.Item
        name="name"
        label={t("site.name")}
        extra={t("site.nameHelp", { title: stripTags(name) })}
        rules={[{ required: true, whitespace: true, message: t("site.nameMissing") }]}
      >
        <Input maxLength={100} showCount />
      </Form.Item>
      <Form.Item name="url" label={t("site.logo")} extra={t("site.logoHelp")}>
        <LogoInput />
      </Form.Item>
      <Form.Item name="signDescription" label={t("site.sign")} extra={t("site.signHelp")}>
        <Input.TextArea autoSize={{ minRows: 4, maxRows: 10 }} maxLength={2000} showCount />
      </Form.Item>
      {mayUpdate ? (
        <Flex gap={8}>
          <Button type="primary" htmlType="submit" loading={busy}>
            {t("site.save")}
          </Button>
          <Button
            disabled={!dirty}
            onClick={() => {
              form.resetFields();
              setDirty(false);
            }}
          >
            {t("kernel:action.reset")}
          </Button>
        </Flex>
      ) : (
        <Alert type="info" title={t("site.readOnly")} />
      )}
    </Form>
  );
}
