import { Button, Form, Select, Tag } from "antd";
import { useState } from "react";
import { useAccess } from "@/kernel/access";
import { useOnce } from "@/kernel/api/useOnce";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, LockedButton, TimeText, toast } from "@/kernel/ui";
import { moveInstance } from "./calls";
import { ReasonField } from "./ReasonDialog";
import { elementText, type ManageDetail, type Place } from "./wire";
import "./operate.css";

interface Props {
  detail: ManageDetail;
  onDone: () => Promise<void>;
}

/** Where the instance is and since when; each place can be moved to another element. */
export function PlacesPanel({ detail, onDone }: Props) {
  const { t } = useTranslation("workflow");
  const [moving, setMoving] = useState<Place | null>(null);
  const mayMove = useAccess().hasPermission(["bpm:process-instance:manager-update"]);
  if (detail.places.length === 0) return <EmptyState title={t("operate.noPlaces")} />;
  return (
    <>
      <ul className="op-list">
        {detail.places.map((place) => (
          <li key={place.id}>
            <div>
              <strong>{elementText(place)}</strong>{" "}
              <Tag color={place.state === "incident" ? "error" : "processing"}>
                {t(`operate.state.${place.state}`)}
              </Tag>
              <p>
                {place.people.length > 0 ? `${place.people.join("、")} · ` : ""}
                {place.since ? <TimeText value={place.since} /> : null}
              </p>
            </div>
            {mayMove ? (
              <LockedButton
                reason={place.movable ? "" : t("operate.notMovable")}
                aria-label={`${t("operate.move")} ${elementText(place)}`}
                onClick={() => setMoving(place)}
              >
                {t("operate.move")}
              </LockedButton>
            ) : null}
          </li>
        ))}
      </ul>
      {detail.children.length > 0 ? <p>{t("operate.children", { n: detail.children.length })}</p> : null}
      {moving ? (
        <MoveDialog detail={detail} place={moving} onDone={onDone} onClose={() => setMoving(null)} />
      ) : null}
    </>
  );
}

interface MoveProps extends Props {
  place: Place;
  onClose: () => void;
}

function MoveDialog({ detail, place, onDone, onClose }: MoveProps) {
  const { t } = useTranslation("workflow");
  const once = useOnce();
  return (
    <ActDialog<{ to: string; reason: string }>
      open
      title={t("operate.moveTitle", { name: elementText(place) })}
      about={t("operate.moveAbout")}
      okText={t("operate.move")}
      danger
      onClose={onClose}
      onSubmit={async (values) => {
        const change = { from: [place.id], ...values };
        await moveInstance(detail.id, change, once.keyOf(change));
        toast.success(t("operate.moved"));
        await onDone();
      }}
    >
      <Form.Item
        name="to"
        label={t("operate.moveTo")}
        rules={[{ required: true, message: t("operate.moveToMissing") }]}
      >
        <Select<string>
          showSearch={{ optionFilterProp: "label" }}
          options={detail.targets.map((target) => ({
            value: target.elementId,
            label: `${elementText(target)}（${t(`operate.type.${target.elementType}`)}）`,
          }))}
        />
      </Form.Item>
      <ReasonField />
    </ActDialog>
  );
}

/** A small act in a list. */
export function ListButton({ label, name, onClick }: { label: string; name: string; onClick: () => void }) {
  return (
    <Button size="small" aria-label={`${label} ${name}`} onClick={onClick}>
      {label}
    </Button>
  );
}
