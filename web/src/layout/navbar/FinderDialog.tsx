import { type InputRef, Modal } from "antd";
import { useRef } from "react";
import { useTranslation } from "@/kernel/i18n";
import { RouteFinder } from "./RouteFinder";

interface Props {
  open: boolean;
  onClose: () => void;
}

export function FinderDialog({ open, onClose }: Props) {
  const { t } = useTranslation("layout");
  const field = useRef<InputRef>(null);
  return (
    <Modal
      title={t("search.label")}
      open={open}
      footer={null}
      destroyOnHidden
      onCancel={onClose}
      // Without motion the dialog takes the focus after the field did.
      afterOpenChange={(shown) => shown && field.current?.focus()}
    >
      <RouteFinder ref={field} onDone={onClose} />
    </Modal>
  );
}
