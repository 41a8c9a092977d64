import { Alert, Button, Form } from "antd";
import { requiredMark } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { formatTime } from "@/kernel/rules";
import { DebouncedButton, LockedButton } from "@/kernel/ui";
import type { MySubject } from "../shared/subjectWire";
import { Confirm } from "./Confirm";
import { FilesField } from "./FilesField";
import type { SubjectValues } from "./form";
import { ReasonFields } from "./ReasonFields";
import { RefusalContext } from "./refused";
import { SaveStatus } from "./SaveStatus";
import { TitleFields } from "./TitleFields";
import { TopicFields } from "./TopicFields";
import { useSubjectForm } from "./useSubjectForm";

interface Props {
  my: MySubject;
  onDirty: (dirty: boolean) => void;
  /** Begin anew with what the server has. */
  onReset: () => void;
}

/** The declaration as a form that keeps itself; submitting is a step of its own with a confirmation. */
export function SubjectForm({ my, onDirty, onReset }: Props) {
  const { t } = useTranslation("thesis");
  const edit = useSubjectForm({ my, onDirty, onReset });
  const way = Form.useWatch("way", edit.form) ?? edit.initial.way;
  const own = way === "own";
  // The files are part of what is submitted: the server judges them then.
  const open = my.guards.find((guard) => !guard.passed && guard.code !== "G_FILES");
  return (
    <RefusalContext value={edit.refusals}>
      <Form<SubjectValues>
        form={edit.form}
        name="subject"
        layout="vertical"
        requiredMark={requiredMark}
        validateTrigger="onBlur"
        initialValues={edit.initial}
        aria-label={t("subject.form")}
        scrollToFirstError={{ block: "center", focus: true }}
        onValuesChange={edit.touch}
        onFinish={edit.ask}
        onFinishFailed={edit.explainMissing}
      >
        {edit.draft ? (
          <Alert
            type="info"
            style={{ marginBottom: 16 }}
            title={t("subject.keptFound", { time: formatTime(edit.draft.at) })}
            action={
              <>
                <Button size="small" onClick={edit.restore}>
                  {t("subject.keptRestore")}
                </Button>
                <Button size="small" type="text" onClick={edit.discard}>
                  {t("subject.keptDrop")}
                </Button>
              </>
            }
          />
        ) : null}
        {edit.problem ? (
          <Alert type="error" role="alert" style={{ marginBottom: 16 }} title={edit.problem} />
        ) : null}
        <TopicFields form={edit.form} topic={edit.topic} onTopic={edit.setTopic} onChanged={edit.touch} />
        <TitleFields form={edit.form} own={own} englishRequired={my.rules["subject.title_en_required"]} />
        <ReasonFields />
        <FilesField
          max={my.rules["subject.files_max"]}
          min={my.rules["subject.files_min"]}
          fresh={my.form?.needNewFile === true}
          files={my.files}
        />
        <div className="th-bar">
          <SaveStatus state={edit.save} onReload={edit.reload} />
          <span className="th-bar-end" />
          <DebouncedButton onClick={() => void edit.saveNow()}>{t("subject.saveDraft")}</DebouncedButton>
          <LockedButton type="primary" reason={open?.text ?? ""} htmlType="submit" loading={edit.busy}>
            {t("subject.submit")}
          </LockedButton>
        </div>
      </Form>
      <Confirm
        values={edit.asking}
        topic={own ? null : edit.topic}
        third={my.rules["subject.third_level"]}
        busy={edit.busy}
        onOk={() => void edit.submit()}
        onCancel={edit.cancel}
        onClosed={edit.closed}
      />
    </RefusalContext>
  );
}
