import { DownOutlined } from "@ant-design/icons";
import { Button, Dropdown } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { LockedButton, useMobile } from "@/kernel/ui";
import type { Act } from "./acts";
import type { ActKey } from "./calls";

/** The clearly different acts; on a phone two stand beside the menu. */
const direct: readonly ActKey[] = ["approve", "reject", "return", "claim", "withdraw", "urge", "cancel"];
const DESKTOP = 4;
const PHONE = 2;

interface Props {
  acts: readonly Act[];
  onAct: (act: Act) => void;
}

/** What the reader can do, the most important first. */
export function ActBar({ acts, onAct }: Props) {
  const { t } = useTranslation("workflow");
  const mobile = useMobile();
  if (acts.length === 0) return null;
  const first = direct
    .flatMap((key) => acts.filter((act) => act.key === key))
    .slice(0, mobile ? PHONE : DESKTOP);
  const rest = acts.filter((act) => !first.includes(act));
  return (
    <div className="instance-acts" role="toolbar" aria-label={t("instance.acts")}>
      {first.map((act, index) => (
        <LockedButton
          key={act.key}
          reason={act.reason}
          compact={mobile}
          type={index === 0 ? "primary" : "default"}
          danger={act.key === "reject" || act.key === "cancel"}
          onClick={() => onAct(act)}
        >
          {act.label}
        </LockedButton>
      ))}
      {rest.length > 0 ? <More acts={rest} onAct={onAct} /> : null}
    </div>
  );
}

function More({ acts, onAct }: Props) {
  const { t } = useTranslation("workflow");
  const items = acts.map((act) => ({
    key: act.key,
    danger: act.key === "adminReject" || act.key === "adminCancel" || act.key === "cancel",
    // A locked entry stays in the menu and says why.
    disabled: act.reason !== "",
    label: act.reason ? (
      <span>
        {act.label}
        <span className="instance-why">{act.reason}</span>
      </span>
    ) : (
      act.label
    ),
    onClick: () => onAct(act),
  }));
  return (
    <Dropdown menu={{ items }} trigger={["click"]}>
      <Button icon={<DownOutlined aria-hidden />} iconPlacement="end">
        {t("instance.more")}
      </Button>
    </Dropdown>
  );
}
