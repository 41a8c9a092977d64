import { Button, Flex, Typography } from "antd";
import { useRef, useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { ResumableUpload, refusal } from "@/kernel/upload";

interface Props {
  id?: string;
  value?: string;
  onChange?: (address: string) => void;
}

/** Uploads a picture and keeps its public address: everybody sees the logo before signing in. */
export function LogoInput({ id, value, onChange }: Props) {
  const { t } = useTranslation("system");
  const input = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const choose = async (file: File | undefined) => {
    if (!file) return;
    const reason = refusal(file, "image");
    setProblem(reason);
    if (reason) return;
    setBusy(true);
    try {
      const stored = await new ResumableUpload(file, "image", () => undefined).run();
      onChange?.(stored.url ?? "");
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Flex vertical gap={8} align="start">
      {value ? <img src={value} alt={t("site.logo")} style={{ maxHeight: 64, maxWidth: 240 }} /> : null}
      <Flex gap={8}>
        <Button id={id} loading={busy} onClick={() => input.current?.click()}>
          {t("site.chooseLogo")}
        </Button>
        {value ? <Button onClick={() => onChange?.("")}>{t("site.removeLogo")}</Button> : null}
      </Flex>
      {problem ? (
        <Typography.Text type="danger" role="alert">
          {problem}
        </Typography.Text>
      ) : null}
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp,image/gif"
        aria-label={t("site.chooseLogo")}
        onChange={(event) => {
          void choose(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
    </Flex>
  );
}
