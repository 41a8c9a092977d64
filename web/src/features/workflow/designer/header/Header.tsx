import { BugOutlined, PlayCircleOutlined, SaveOutlined, StopOutlined } from "@ant-design/icons";
import { Badge, Button, Tag, Tooltip } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "@/kernel/i18n";
import { useMobile } from "@/kernel/ui";
import { dialectNames } from "../dialect";
import type { Problem } from "../lint/rules";
import type { Sheet } from "../useDrawing";
import { Tool } from "./Tool";

interface Props {
  title: string;
  /** Whether anything is unsaved, in words. */
  note: string;
  sheet: Sheet | null;
  simulating: boolean;
  onSimulate: () => void;
  problems: readonly Problem[];
  listing: boolean;
  onList: () => void;
  /** Left out where there is no model to save into. */
  save?: { busy: boolean; run: () => void };
  children: ReactNode;
  more: ReactNode;
}

/** The name of the process, and everything that can be done with the whole of it. */
export function Header(props: Props) {
  const { title, note, sheet, simulating, save } = props;
  const { t } = useTranslation("designer");
  const mobile = useMobile();
  const errors = props.problems.filter(({ severity }) => severity === "error").length;
  return (
    <header className="designer-head">
      <div className="designer-title">
        <h1>{title}</h1>
        {sheet ? (
          <Tooltip title={t("head.dialect")}>
            <Tag>{dialectNames[sheet.opened.dialect]}</Tag>
          </Tooltip>
        ) : null}
        <span className="designer-quiet" role="status">
          {note}
        </span>
      </div>
      <div className="designer-tools" role="toolbar" aria-label={t("head.tools")}>
        {props.children}
        <div className="designer-group">
          <Tool
            label={t(simulating ? "tool.stopSimulation" : "tool.simulate")}
            icon={simulating ? <StopOutlined /> : <PlayCircleOutlined />}
            pressed={simulating}
            disabled={!sheet}
            onPress={props.onSimulate}
          />
          <Badge
            size="small"
            count={props.problems.length}
            color={errors > 0 ? undefined : "#b27d00"}
            offset={[-6, 6]}
          >
            <Tool
              label={t("tool.problems", { n: props.problems.length })}
              icon={<BugOutlined />}
              pressed={props.listing}
              disabled={!sheet}
              onPress={props.onList}
            />
          </Badge>
          {props.more}
        </div>
        {save ? (
          <Tooltip title={simulating ? t("save.simulating") : undefined}>
            <Button
              type="primary"
              icon={<SaveOutlined />}
              aria-label={t("tool.save")}
              loading={save.busy}
              disabled={!sheet || simulating}
              onClick={save.run}
            >
              {mobile ? null : t("tool.save")}
            </Button>
          </Tooltip>
        ) : null}
      </div>
    </header>
  );
}
