import { Alert, Button, Flex, Input, Modal } from "antd";
import { useEffect, useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { DictTag } from "@/kernel/dict";
import { useTranslation } from "@/kernel/i18n";
import type { BatchResult, Todo } from "../shared/subjectWire";
import { batchApprove } from "./calls";

interface Props {
  rows: Todo[];
  open: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** Approves several at once: the server first tells what will and what will not happen. */
export function BatchApprove({ rows, open, onClose, onDone }: Props) {
  const { t } = useTranslation("thesis");
  const [opinion, setOpinion] = useState("");
  const [results, setResults] = useState<BatchResult[] | null>(null);
  const [finished, setFinished] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    if (!open) return;
    setOpinion("");
    setResults(null);
    setFinished(false);
    setProblem("");
  }, [open]);

  const run = async (dryRun: boolean) => {
    setBusy(true);
    setProblem("");
    const good = results?.filter((item) => item.ok).map((item) => item.id);
    const items = rows
      .filter((row) => dryRun || good?.includes(row.id))
      .map((row) => ({ id: row.id, version: row.version }));
    try {
      setResults(await batchApprove({ items, opinion: opinion.trim(), dryRun }));
      if (!dryRun) {
        setFinished(true);
        onDone();
      }
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  const good = results?.filter((item) => item.ok).length ?? 0;
  return (
    <Modal
      open={open}
      width={640}
      title={t("batch.title", { n: rows.length })}
      onCancel={onClose}
      destroyOnHidden
      footer={
        <Flex gap={8} justify="end">
          <Button onClick={onClose}>{t(finished ? "batch.close" : "decide.back")}</Button>
          {results === null ? (
            <Button type="primary" loading={busy} onClick={() => void run(true)}>
              {t("batch.check")}
            </Button>
          ) : null}
          {results !== null && !finished ? (
            <Button type="primary" loading={busy} disabled={good === 0} onClick={() => void run(false)}>
              {t("batch.start", { n: good })}
            </Button>
          ) : null}
        </Flex>
      }
    >
      <div className="th-stack" style={{ gap: 12 }}>
        {problem ? <Alert type="error" role="alert" title={problem} /> : null}
        {results === null ? (
          <div>
            <label htmlFor="th-batch-opinion">{t("batch.opinion")}</label>
            <Input.TextArea
              id="th-batch-opinion"
              value={opinion}
              maxLength={2000}
              showCount
              autoSize={{ minRows: 2, maxRows: 6 }}
              onChange={(event) => setOpinion(event.target.value)}
            />
            <p className="th-quiet">{t("batch.about")}</p>
          </div>
        ) : (
          <Results rows={rows} results={results} finished={finished} />
        )}
      </div>
    </Modal>
  );
}

interface ResultProps {
  rows: Todo[];
  results: BatchResult[];
  finished: boolean;
}

function Results({ rows, results, finished }: ResultProps) {
  const { t } = useTranslation("thesis");
  const good = results.filter((item) => item.ok).length;
  const bad = results.length - good;
  return (
    <>
      <Alert
        role="status"
        type={bad > 0 ? "warning" : "success"}
        title={t(finished ? "batch.done" : "batch.will", { good, bad })}
      />
      <ul className="th-list" aria-label={t("batch.list")}>
        {results.map((item) => {
          const row = rows.find((candidate) => candidate.id === item.id);
          return (
            <li key={item.id} className="th-item">
              <span className="th-item-title">
                {row?.studentName} · {row?.newTitleZh || row?.titleZh}
              </span>
              {item.ok ? (
                <span>
                  {t(finished ? "batch.became" : "batch.becomes")}{" "}
                  <DictTag type="student_subject_audit_state" value={item.auditState} />
                </span>
              ) : (
                <span className="th-due is-over">{item.msg}</span>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
