import { Button, Flex } from "antd";
import { useState } from "react";
import { useNavigate } from "react-router";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { confirmBox, LockedButton, toast } from "@/kernel/ui";
import type { MySubject } from "../shared/subjectWire";
import { Audit } from "../shared/wire";
import { useRefreshThesis, withdrawSubject } from "./calls";
import { situationOf } from "./situation";
import { TitleChangeDialog } from "./TitleChange";

/** What can be done besides writing: withdraw, change the title, ask for more time. */
export function Acts({ my }: { my: MySubject }) {
  const { t } = useTranslation("thesis");
  const navigate = useNavigate();
  const [changing, setChanging] = useState(false);
  const situation = situationOf(my);
  const lock = (action: string) => my.locks[action] ?? "";
  const refresh = useRefreshThesis();
  const { form } = my;
  if (situation === "closed") {
    return (
      <Flex style={{ marginTop: 12 }}>
        <Button onClick={() => void navigate("/feedback/feedback/list?ask=extension")}>
          {t("acts.extension")}
        </Button>
      </Flex>
    );
  }
  if (!form) return null;
  const withdraw = async () => {
    const change = form.auditState === Audit.Changing;
    const ok = await confirmBox({
      content: t(change ? "acts.withdrawChangeAsk" : "acts.withdrawAsk"),
      okText: t(change ? "acts.withdrawChange" : "acts.withdraw"),
    });
    if (!ok) return;
    try {
      await withdrawSubject(form.id, form.version);
      toast.success(t("acts.withdrawn"));
    } catch (error) {
      toast.error(errorText(error), 5);
    }
    await refresh();
  };
  const waiting = situation === "waiting" || situation === "changing";
  return (
    <Flex gap={12} wrap style={{ marginTop: waiting || situation === "passed" ? 12 : 0 }}>
      {waiting ? (
        <LockedButton
          reason={lock(situation === "changing" ? "withdraw-change" : "withdraw")}
          onClick={() => void withdraw()}
        >
          {t(situation === "changing" ? "acts.withdrawChange" : "acts.withdraw")}
        </LockedButton>
      ) : null}
      {situation === "passed" ? (
        <LockedButton reason={lock("change-title")} onClick={() => setChanging(true)}>
          {t("acts.change")}
        </LockedButton>
      ) : null}
      <TitleChangeDialog
        form={changing ? form : null}
        englishRequired={my.rules["subject.title_en_required"]}
        onClose={() => setChanging(false)}
      />
    </Flex>
  );
}
