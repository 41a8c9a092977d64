import { Button, Modal, Segmented } from "antd";
import { useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { Upload } from "@/kernel/upload";

interface Props {
  open: boolean;
  onDone: () => Promise<void>;
  onClose: () => void;
}

const slots = ["document", "image"] as const;
const MOST = 10;

/** Stores files by hand; what no record uses is removed after a while. */
export function UploadDialog({ open, onDone, onClose }: Props) {
  const { t } = useTranslation("infra");
  const [slot, setSlot] = useState<(typeof slots)[number]>("document");
  const [ids, setIds] = useState<number[]>([]);
  const close = () => {
    if (ids.length > 0) void onDone();
    setIds([]);
    onClose();
  };
  return (
    <Modal
      open={open}
      title={t("file.upload")}
      mask={{ closable: false }}
      destroyOnHidden
      onCancel={close}
      footer={
        <Button type="primary" onClick={close}>
          {t("kernel:action.close")}
        </Button>
      }
    >
      <p>{t("file.uploadAbout")}</p>
      <Segmented
        aria-label={t("file.use")}
        value={slot}
        options={slots.map((value) => ({ value, label: t(`file.slot.${value}`) }))}
        onChange={(value) => {
          setSlot(value);
          setIds([]);
        }}
        style={{ marginBottom: 12 }}
      />
      <Upload
        key={slot}
        slot={slot}
        max={MOST}
        value={ids}
        onChange={(value) => setIds(Array.isArray(value) ? value : [])}
      />
    </Modal>
  );
}
