import { Modal } from "antd";
import { useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { Arithmetic } from "./Arithmetic";
import { BlockPuzzle } from "./BlockPuzzle";
import "./captcha.css";

interface Props {
  onVerified: (verification: string) => void;
  onCancel: () => void;
}

/** Asks for the puzzle, or for a sum when the puzzle cannot be done. */
export default function CaptchaDialog({ onVerified, onCancel }: Props) {
  const { t } = useTranslation("auth");
  const [sum, setSum] = useState(false);
  return (
    <Modal open title={t("captcha.title")} footer={null} width={448} onCancel={onCancel}>
      {sum ? (
        <Arithmetic onVerified={onVerified} onOther={() => setSum(false)} />
      ) : (
        <BlockPuzzle onVerified={onVerified} onOther={() => setSum(true)} />
      )}
    </Modal>
  );
}
