import {
  CompressOutlined,
  DownloadOutlined,
  FullscreenExitOutlined,
  FullscreenOutlined,
  PrinterOutlined,
  ZoomInOutlined,
  ZoomOutOutlined,
} from "@ant-design/icons";
import { Button, Flex, Tooltip } from "antd";
import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { showAll, type Viewer } from "./canvas";
import { printPicture, savePicture } from "./picture";

interface Props {
  viewer: Viewer;
  /** Title of prints and name of files. */
  name: string;
  /** What fills the screen. */
  frame: RefObject<HTMLElement | null>;
}

/** Looking closer, looking at all of it, and taking it along. */
export function Toolbar({ viewer, name, frame }: Props) {
  const { t } = useTranslation("workflow");
  const full = useFullscreen(frame);
  const tried = (act: Promise<unknown>) => {
    act.catch((cause) => {
      console.error(cause);
      toast.error(t("viewer.actFailed"));
    });
  };
  const mark = () => frame.current?.querySelector(".bjs-powered-by") ?? null;
  return (
    <Flex gap={4} wrap role="toolbar" aria-label={t("viewer.tools")}>
      <Tool
        label={t("viewer.zoomOut")}
        icon={<ZoomOutOutlined />}
        run={() => step(viewer, -1)}
        frame={frame}
      />
      <Tool label={t("viewer.zoomIn")} icon={<ZoomInOutlined />} run={() => step(viewer, 1)} frame={frame} />
      <Tool label={t("viewer.fit")} icon={<CompressOutlined />} run={() => showAll(viewer)} frame={frame} />
      <Tool
        label={t(full.on ? "viewer.exitFullscreen" : "viewer.fullscreen")}
        icon={full.on ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
        run={() => tried(full.toggle())}
        frame={frame}
      />
      <Tool
        label={t("viewer.print")}
        icon={<PrinterOutlined />}
        run={() => tried(printPicture(viewer, name, mark()))}
        frame={frame}
      />
      <Tool
        label={t("viewer.svg")}
        icon={<DownloadOutlined />}
        run={() => tried(savePicture(viewer, name))}
        frame={frame}
      />
    </Flex>
  );
}

/** One notch of the wheel does the same, within the same limits. */
function step(viewer: Viewer, delta: number): void {
  viewer.get("zoomScroll").stepZoom(delta);
}

interface ToolProps {
  label: string;
  icon: ReactNode;
  run: () => void;
  frame: RefObject<HTMLElement | null>;
}

function Tool({ label, icon, run, frame }: ToolProps) {
  return (
    <Tooltip title={label} getPopupContainer={(at) => frame.current ?? at}>
      <Button type="text" size="small" aria-label={label} icon={icon} onClick={run} />
    </Tooltip>
  );
}

function useFullscreen(frame: RefObject<HTMLElement | null>) {
  const { t } = useTranslation("workflow");
  const [on, setOn] = useState(false);
  useEffect(() => {
    const read = () =>
      setOn(document.fullscreenElement !== null && document.fullscreenElement === frame.current);
    document.addEventListener("fullscreenchange", read);
    return () => document.removeEventListener("fullscreenchange", read);
  }, [frame]);
  const toggle = async () => {
    if (on) return document.exitFullscreen();
    if (!document.fullscreenEnabled) return toast.warning(t("viewer.noFullscreen"));
    return frame.current?.requestFullscreen();
  };
  return { on, toggle };
}
