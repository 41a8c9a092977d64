import { Modal } from "antd";
import { useTranslation } from "@/kernel/i18n";

/** Keys of the focused canvas, in the order of use. */
const keys: [string, string][] = [
  ["create", "N"],
  ["append", "A"],
  ["replace", "R"],
  ["edit", "E"],
  ["remove", "Delete"],
  ["undo", "Ctrl + Z"],
  ["redo", "Ctrl + Y"],
  ["copy", "Ctrl + C"],
  ["cut", "Ctrl + X"],
  ["paste", "Ctrl + V"],
  ["duplicate", "Ctrl + D"],
  ["all", "Ctrl + A"],
  ["find", "Ctrl + F"],
  ["hand", "H"],
  ["lasso", "L"],
  ["space", "S"],
  ["connect", "C"],
  ["move", "← ↑ → ↓"],
  ["moveFast", "Shift + ← ↑ → ↓"],
  ["scroll", "Ctrl + ← ↑ → ↓"],
  ["zoomIn", "Ctrl + ="],
  ["zoomOut", "Ctrl + -"],
  ["zoomReset", "Ctrl + 0"],
  ["several", "Ctrl"],
];

/** The keys of the canvas on a card. */
export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("designer");
  return (
    <Modal open title={t("keys.title")} onCancel={onClose} footer={null} width="min(640px, 100vw)">
      <p>{t("keys.about")}</p>
      <dl className="designer-keys">
        {keys.map(([name, key]) => (
          <div key={name}>
            <dt>{t(`keys.${name}`)}</dt>
            <dd>
              <kbd>{key}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
