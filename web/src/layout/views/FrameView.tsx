import { Spin } from "antd";
import { useState } from "react";
import { useTranslation } from "@/kernel/i18n";

interface Props {
  address: string;
  title: string;
}

/** A foreign page inside the shell. */
export function FrameView({ address, title }: Props) {
  const { t } = useTranslation("layout");
  const [ready, setReady] = useState(false);
  return (
    <div className="shell-frame">
      {!ready && (
        <div className="shell-frame-wait" role="status">
          <Spin description={t("view.frameLoading")}>
            <div style={{ width: 320, height: 120 }} />
          </Spin>
        </div>
      )}
      <iframe
        src={address}
        title={title}
        referrerPolicy="strict-origin-when-cross-origin"
        onLoad={() => setReady(true)}
      />
    </div>
  );
}
