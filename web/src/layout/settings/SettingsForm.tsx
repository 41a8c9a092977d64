import { Button, Divider, Radio, Switch } from "antd";
import { useId } from "react";
import { useTranslation } from "@/kernel/i18n";
import { type LayoutSettings, type SideTheme, useSettings } from "@/kernel/theme";
import { confirmBox, toast } from "@/kernel/ui";
import { ThemeColour } from "./ThemeColour";

type SwitchName = "topNav" | "tagsView" | "fixedHeader" | "sidebarLogo" | "dynamicTitle";

const sides: readonly SideTheme[] = ["theme-dark", "theme-light", "theme-blue"];
const switches: readonly SwitchName[] = ["topNav", "tagsView", "fixedHeader", "sidebarLogo", "dynamicTitle"];

/** Time to read the notice before the page loads anew. */
const reloadDelay = 1000;

/** The switches of the settings drawer. */
export function SettingsForm() {
  const { t } = useTranslation("layout");
  const sideTheme = useSettings((state) => state.sideTheme);
  const change = useSettings((state) => state.change);
  const save = useSettings((state) => state.save);
  const reset = useSettings((state) => state.reset);
  const onSave = () => {
    save();
    toast.success(t("settings.saved"));
  };
  const onReset = async () => {
    if (!(await confirmBox(t("settings.resetQuestion")))) return;
    reset();
    toast.info(t("settings.resetting"));
    setTimeout(() => window.location.reload(), reloadDelay);
  };
  return (
    <div className="look">
      <h2 id="look-side">{t("settings.sideTheme")}</h2>
      <Radio.Group
        aria-labelledby="look-side"
        optionType="button"
        value={sideTheme}
        options={sides.map((value) => ({ value, label: t(`settings.side.${value}`) }))}
        onChange={(event) => change({ sideTheme: event.target.value as SideTheme })}
      />
      <ThemeColour />
      <Divider />
      <h2>{t("settings.layout")}</h2>
      {switches.map((name) => (
        <SwitchRow key={name} name={name} />
      ))}
      <div className="look-acts">
        <Button type="primary" onClick={onSave}>
          {t("settings.save")}
        </Button>
        <Button onClick={onReset}>{t("settings.reset")}</Button>
      </div>
    </div>
  );
}

function SwitchRow({ name }: { name: SwitchName }) {
  const { t } = useTranslation("layout");
  const id = useId();
  const checked = useSettings((state) => state[name]);
  const change = useSettings((state) => state.change);
  return (
    <div className="look-row">
      <span id={id}>{t(`settings.${name}`)}</span>
      <Switch
        aria-labelledby={id}
        checked={checked}
        onChange={(value) => change({ [name]: value } as Partial<LayoutSettings>)}
      />
    </div>
  );
}
