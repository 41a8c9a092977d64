import { ColorPicker } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { themePresets, useSettings } from "@/kernel/theme";

/** The brand colour: one of the presets or any other. */
export function ThemeColour() {
  const { t } = useTranslation("layout");
  const theme = useSettings((state) => state.theme);
  const change = useSettings((state) => state.change);
  return (
    <>
      <h2 id="look-colour">{t("settings.colour")}</h2>
      <div className="look-colors" role="radiogroup" aria-labelledby="look-colour">
        {themePresets.map((preset) => (
          // biome-ignore lint/a11y/useSemanticElements: a swatch is drawn by its own colour.
          <button
            key={preset}
            type="button"
            role="radio"
            aria-checked={preset.toLowerCase() === theme.toLowerCase()}
            aria-label={t("settings.preset", { colour: preset })}
            className="look-color"
            style={{ backgroundColor: preset }}
            onClick={() => change({ theme: preset })}
          />
        ))}
      </div>
      <div className="look-row">
        <span>{t("settings.ownColour")}</span>
        <ColorPicker
          value={theme}
          disabledAlpha
          showText
          onChangeComplete={(colour) => change({ theme: colour.toHexString() })}
        />
      </div>
    </>
  );
}
