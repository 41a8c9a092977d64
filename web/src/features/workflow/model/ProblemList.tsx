import { Flex, Tag, Typography } from "antd";
import { currentLanguage, useTranslation } from "@/kernel/i18n";
import type { DeployProblem } from "./calls";

/** What keeps a model from being deployed, errors first, each with its element and place. */
export function ProblemList({ problems }: { problems: DeployProblem[] }) {
  const { t } = useTranslation("workflow");
  const english = currentLanguage() === "en";
  const sorted = problems.toSorted((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
  return (
    <ul aria-label={t("deploy.problems")} style={{ listStyle: "none", margin: 0, padding: 0 }}>
      {sorted.map((problem) => (
        <li
          key={`${problem.code} ${problem.elementId} ${problem.line} ${problem.zh}`}
          style={{ padding: "8px 0" }}
        >
          <Flex gap={8} align="start">
            <Tag color={problem.severity === "error" ? "error" : "warning"}>
              {t(`deploy.${problem.severity}`)}
            </Tag>
            <div style={{ overflowWrap: "anywhere", minWidth: 0 }}>
              <div>{english ? problem.en : problem.zh}</div>
              <Typography.Text type="secondary">{place(problem, t)}</Typography.Text>
            </div>
          </Flex>
        </li>
      ))}
    </ul>
  );
}

type Translate = ReturnType<typeof useTranslation>["t"];

function place(problem: DeployProblem, t: Translate): string {
  const parts = [
    problem.elementId ? t("deploy.element", { id: problem.elementId, type: problem.elementType }) : "",
    problem.line > 0 ? t("deploy.line", { line: problem.line }) : "",
  ];
  return parts.filter(Boolean).join(" · ") || t("deploy.model");
}
