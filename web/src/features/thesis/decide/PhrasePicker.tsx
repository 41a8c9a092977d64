import { DeleteOutlined } from "@ant-design/icons";
import { Button, Flex, Popover } from "antd";
import { useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { usePhrases } from "./phrases";

interface Props {
  opinion: string;
  onPick: (text: string) => void;
}

/** Inserts a phrase, keeps the present opinion as one, or forgets one. */
export function PhrasePicker({ opinion, onPick }: Props) {
  const { t } = useTranslation("thesis");
  const [open, setOpen] = useState(false);
  const phrases = usePhrases();
  const pick = (phrase: string) => {
    onPick(phrase);
    setOpen(false);
  };
  const list = (
    <div className="th-stack" style={{ width: 320, maxWidth: "80vw", gap: 8 }}>
      <ul className="th-plain" aria-label={t("phrase.list")}>
        {phrases.list.map((phrase) => (
          <li key={phrase}>
            <Flex gap={4} align="center">
              <button
                type="button"
                className="th-item"
                style={{ padding: "6px 8px" }}
                onClick={() => pick(phrase)}
              >
                {phrase}
              </button>
              <Button
                type="text"
                size="small"
                icon={<DeleteOutlined />}
                aria-label={t("phrase.remove", { phrase })}
                onClick={() => phrases.remove(phrase)}
              />
            </Flex>
          </li>
        ))}
      </ul>
      {phrases.list.length === 0 ? <span className="th-quiet">{t("phrase.none")}</span> : null}
      <Button size="small" disabled={!opinion.trim()} onClick={() => phrases.add(opinion)}>
        {t("phrase.keep")}
      </Button>
    </div>
  );
  return (
    <Popover trigger="click" placement="topLeft" open={open} onOpenChange={setOpen} content={list}>
      <Button size="small" aria-expanded={open}>
        {t("phrase.title")}
      </Button>
    </Popover>
  );
}
