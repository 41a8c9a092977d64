import { Button, Input } from "antd";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { getQuestion } from "../api";
import { submitAnswer } from "./answer";
import { CaptchaStatus } from "./CaptchaStatus";
import { useChallenge } from "./useChallenge";

interface Props {
  onVerified: (verification: string) => void;
  onOther: () => void;
}

/** A small sum instead of the puzzle, for whoever cannot see or move it. */
export function Arithmetic({ onVerified, onOther }: Props) {
  const { t } = useTranslation("auth");
  const id = useId();
  const [text, setText] = useState("");
  const { challenge, message, failed, busy, renew, answer } = useChallenge(getQuestion, onVerified);
  const typed = text.trim();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!typed) return;
    await answer((question) => submitAnswer("arithmetic", question, typed));
    setText("");
  };
  return (
    <form className="puzzle" onSubmit={submit}>
      <label className="puzzle-question" htmlFor={id}>
        {challenge ? t("captcha.question", { question: challenge.question }) : t("captcha.loading")}
      </label>
      <Input
        id={id}
        autoFocus
        inputMode="numeric"
        autoComplete="off"
        maxLength={8}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <CaptchaStatus message={message} failed={failed} />
      <div className="puzzle-acts">
        <Button type="primary" htmlType="submit" disabled={!challenge || busy}>
          {t("captcha.submit")}
        </Button>
        <Button onClick={() => renew()}>{t("captcha.renewQuestion")}</Button>
        <Button type="link" onClick={onOther}>
          {t("captcha.back")}
        </Button>
      </div>
    </form>
  );
}
