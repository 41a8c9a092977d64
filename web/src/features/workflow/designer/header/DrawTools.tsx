import {
  AlignCenterOutlined,
  ClearOutlined,
  CompressOutlined,
  RedoOutlined,
  UndoOutlined,
  ZoomInOutlined,
  ZoomOutOutlined,
} from "@ant-design/icons";
import { Button, Dropdown } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { showAll, tenths, ZOOM, zoomBy } from "../canvas/view";
import type { Sheet } from "../useDrawing";
import { type Arrangement, alignments, arrange, distributions } from "./align";
import { Tool } from "./Tool";

interface Props {
  sheet: Sheet | null;
  /** While something else holds the canvas. */
  disabled: boolean;
  scale: number;
  canUndo: boolean;
  canRedo: boolean;
  onRedraw: () => void;
}

/** Undoing, looking closer and lining up. */
export function DrawTools({ sheet, disabled, scale, canUndo, canRedo, onRedraw }: Props) {
  const { t } = useTranslation("designer");
  const off = disabled || !sheet;
  const modeler = sheet?.modeler;
  const zoom = (steps: 1 | -1) => {
    if (modeler && !zoomBy(modeler, steps)) toast.error(t(steps > 0 ? "zoom.most" : "zoom.least"));
  };
  const item = (key: Arrangement) => ({ key, label: t(`align.${key}`) });
  return (
    <>
      <div className="designer-group">
        <Tool
          label={t("tool.undo")}
          icon={<UndoOutlined />}
          disabled={off || !canUndo}
          onPress={() => modeler?.get("commandStack").undo()}
        />
        <Tool
          label={t("tool.redo")}
          icon={<RedoOutlined />}
          disabled={off || !canRedo}
          onPress={() => modeler?.get("commandStack").redo()}
        />
        <Tool label={t("tool.redraw")} icon={<ClearOutlined />} disabled={off} onPress={onRedraw} />
      </div>
      <div className="designer-group">
        <Tool
          label={t("tool.zoomOut")}
          icon={<ZoomOutOutlined />}
          disabled={off || tenths(scale) <= tenths(ZOOM.min)}
          onPress={() => zoom(-1)}
        />
        <span className="designer-zoom" role="status" aria-label={t("zoom.now")}>
          {t("zoom.percent", { n: Math.round(scale * 100) })}
        </span>
        <Tool
          label={t("tool.zoomIn")}
          icon={<ZoomInOutlined />}
          disabled={off || tenths(scale) >= tenths(ZOOM.max)}
          onPress={() => zoom(1)}
        />
        <Tool
          label={t("tool.reset")}
          icon={<CompressOutlined />}
          disabled={off}
          onPress={() => modeler && showAll(modeler)}
        />
      </div>
      <div className="designer-group">
        <Dropdown
          trigger={["click"]}
          disabled={off}
          menu={{
            items: [...alignments.map(item), { type: "divider" as const }, ...distributions.map(item)],
            onClick: ({ key }) => modeler && void arrange(modeler, key as Arrangement),
          }}
        >
          <Button
            type="text"
            title={t("tool.align")}
            aria-label={t("tool.align")}
            icon={<AlignCenterOutlined />}
          />
        </Dropdown>
      </div>
    </>
  );
}
