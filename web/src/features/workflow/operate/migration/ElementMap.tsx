import { Form, Select } from "antd";
import { useTranslation } from "@/kernel/i18n";
import { elementText } from "../wire";
import type { Plan, Report } from "./wire";

interface Props {
  report: Report;
  plan: Plan;
  onMap: (element: string, target: string | undefined) => void;
}

/** The elements that have no counterpart by their id, those with instances first. */
export function ElementMap({ report, plan, onMap }: Props) {
  const { t } = useTranslation("workflow");
  const loose = report.elements
    .filter((element) => element.targetId === "" || plan.elementMap[element.elementId])
    .sort((a, b) => b.instances - a.instances);
  if (loose.length === 0) return <p className="op-quiet">{t("migration.mapNone")}</p>;
  return (
    <section aria-label={t("migration.map")}>
      <h3 style={{ fontSize: 16 }}>{t("migration.map")}</h3>
      <p className="op-quiet">{t("migration.mapHelp")}</p>
      <Form layout="vertical" component="div">
        {loose.map((element) => {
          const id = `map-${element.elementId}`;
          const name = elementText(element);
          return (
            <Form.Item
              key={element.elementId}
              htmlFor={id}
              label={t("migration.counterpart", {
                name: `${name}（${t(`operate.type.${element.elementType}`)}）`,
              })}
              extra={element.instances > 0 ? t("migration.at", { n: element.instances }) : undefined}
            >
              <Select<string>
                id={id}
                allowClear
                showSearch={{ optionFilterProp: "label" }}
                placeholder={t("migration.choose")}
                value={plan.elementMap[element.elementId]}
                onChange={(target) => onMap(element.elementId, target)}
                options={report.targets
                  .filter((target) => target.elementType === element.elementType)
                  .map((target) => ({
                    value: target.elementId,
                    label: `${elementText(target)}（${target.elementId}）`,
                  }))}
              />
            </Form.Item>
          );
        })}
      </Form>
    </section>
  );
}
