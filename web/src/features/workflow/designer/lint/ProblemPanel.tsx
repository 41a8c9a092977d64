import { CloseOutlined } from "@ant-design/icons";
import { Button, Tag } from "antd";
import { useTranslation } from "@/kernel/i18n";
import type { Problem } from "./rules";

interface Props {
  problems: readonly Problem[];
  onPick: (id: string) => void;
  onClose: () => void;
}

/** What there is to ask about the drawing; choosing a line leads to its element. */
export function ProblemPanel({ problems, onPick, onClose }: Props) {
  const { t } = useTranslation("designer");
  return (
    <section className="designer-list" aria-label={t("lint.title")}>
      <header>
        <strong>{t("lint.count", { n: problems.length })}</strong>
        <Button
          size="small"
          type="text"
          icon={<CloseOutlined />}
          aria-label={t("lint.close")}
          onClick={onClose}
        />
      </header>
      {problems.length === 0 ? <p>{t("lint.none")}</p> : null}
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.id} ${problem.code}`}>
            <button type="button" onClick={() => onPick(problem.id)}>
              <Tag color={problem.severity === "error" ? "error" : "warning"}>
                {t(`lint.${problem.severity}`)}
              </Tag>
              <span>{t(`lint.code.${problem.code}`)}</span>
              <span className="designer-quiet">{problem.name || problem.id}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
