import { Form, Input, Radio } from "antd";
import { useOnce } from "@/kernel/api/useOnce";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { lengthOf } from "../shared/length";
import type { Subject } from "../shared/subjectWire";
import { changeTitle, type TitleChange, useRefreshThesis } from "./calls";
import { rules, TITLE_MAX } from "./form";
import { SimilarTitles } from "./SimilarTitles";

interface Props {
  form: Subject | null;
  englishRequired: boolean;
  onClose: () => void;
}

const counted = (max: number) => ({ show: true, max, strategy: lengthOf });

/** Asks for another title of a passed topic; the old one counts until the change has passed. */
export function TitleChangeDialog({ form, englishRequired, onClose }: Props) {
  const { t } = useTranslation("thesis");
  const once = useOnce();
  const refresh = useRefreshThesis();
  const submit = async (values: TitleChange) => {
    if (!form) return;
    const body = { ...values, titleEn: values.titleEn ?? "", major: values.major === true };
    await changeTitle(form.id, form.version, body, once.keyOf([form.id, form.version, body]));
    once.done();
    toast.success(t("change.sent"));
    await refresh();
  };
  return (
    <ActDialog<TitleChange>
      open={form !== null}
      title={t("change.title")}
      okText={t("change.ok")}
      about={t("change.about")}
      initial={{ titleZh: form?.titleZh, titleEn: form?.titleEn, major: false }}
      onSubmit={submit}
      onClose={onClose}
    >
      {(dialog) => (
        <>
          <Form.Item name="titleZh" label={t("subject.newTitle")} required rules={[rules.titleZh]}>
            <Input count={counted(TITLE_MAX)} />
          </Form.Item>
          <Form.Item noStyle dependencies={["titleZh"]}>
            {() => {
              const typed = String(dialog.getFieldValue("titleZh") ?? "");
              return <SimilarTitles title={typed === form?.titleZh ? "" : typed} />;
            }}
          </Form.Item>
          <Form.Item
            name="titleEn"
            label={t("subject.titleEn")}
            required={englishRequired}
            rules={[rules.titleEn(englishRequired)]}
          >
            <Input count={counted(300)} lang="en" />
          </Form.Item>
          <Form.Item name="major" label={t("change.kind")} extra={t("change.kindHelp")}>
            <Radio.Group
              options={[
                { value: false, label: t("change.minor") },
                { value: true, label: t("change.major") },
              ]}
            />
          </Form.Item>
          <Form.Item
            name="reason"
            label={t("change.reason")}
            rules={[
              { required: true, whitespace: true, min: 10, max: 500, message: t("change.reasonLength") },
            ]}
          >
            <Input.TextArea autoSize={{ minRows: 3, maxRows: 8 }} count={counted(500)} />
          </Form.Item>
        </>
      )}
    </ActDialog>
  );
}
