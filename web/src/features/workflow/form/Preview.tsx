import { Alert, Button, Flex, Modal, Segmented } from "antd";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { useMobile } from "@/kernel/ui";
import { FormView, type FormViewHandle } from "./FormView";
import { type Item, writeItems } from "./model";
import type { FormValues } from "./values";

const PHONE = 390;

interface Props {
  name: string;
  items: readonly Item[];
  onClose: () => void;
}

/** The form as it will be filled in, on a desk or a phone; nothing is sent. */
export function Preview({ name, items, onClose }: Props) {
  const { t } = useTranslation(["workflow", "kernel"]);
  const view = useRef<FormViewHandle>(null);
  const [width, setWidth] = useState("desktop");
  const [given, setGiven] = useState<FormValues | null>(null);
  const fields = useMemo(() => writeItems(items), [items]);
  const mobile = useMobile();
  const phone = !mobile && width === "phone";
  const check = async () => setGiven((await view.current?.validate()) ?? null);
  return (
    <Modal
      open
      title={t("builder.previewTitle", { name })}
      width={860}
      onCancel={onClose}
      mask={{ closable: false }}
      footer={
        <Flex gap={8} justify="end">
          <Button onClick={onClose}>{t("kernel:action.close")}</Button>
          <Button type="primary" onClick={() => void check()}>
            {t("builder.check")}
          </Button>
        </Flex>
      }
    >
      <Flex vertical gap={16}>
        {mobile ? null : (
          <div>
            <Segmented
              aria-label={t("builder.width")}
              value={width}
              options={[
                { value: "desktop", label: t("builder.desktop") },
                { value: "phone", label: t("builder.phone") },
              ]}
              onChange={setWidth}
            />
          </div>
        )}
        {given ? (
          <Alert
            type="success"
            role="status"
            title={t("builder.passed")}
            description={<pre className="builder-values">{JSON.stringify(given, null, 2)}</pre>}
          />
        ) : null}
        <div className={phone ? "builder-phone" : undefined} style={phone ? { maxWidth: PHONE } : undefined}>
          <FormView ref={view} fields={fields} narrow={phone || undefined} onChange={() => setGiven(null)} />
        </div>
      </Flex>
    </Modal>
  );
}
