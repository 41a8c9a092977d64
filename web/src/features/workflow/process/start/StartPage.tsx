import { Button, Skeleton } from "antd";
import { useEffect } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState } from "@/kernel/ui";
import { FORM_BUSINESS } from "../../model/entity";
import type { Startable } from "../wire";
import { Catalogue } from "./Catalogue";
import { useEarlier, useStartable } from "./calls";
import { StartForm } from "./StartForm";

/** Chooses a process, or starts the one in the address. */
export default function StartPage() {
  useTranslation("workflow");
  const [search] = useSearchParams();
  const key = search.get("key") ?? "";
  if (!key) return <Catalogue />;
  return <Chosen key={key} process={key} from={search.get("from") ?? ""} />;
}

function Chosen({ process, from }: { process: string; from: string }) {
  const { t } = useTranslation("workflow");
  const navigate = useNavigate();
  const list = useStartable();
  const earlier = useEarlier(from);
  const definition = list.data?.find((item) => item.key === process);
  if (list.error) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (list.isPending || (from !== "" && earlier.isPending))
    return <Skeleton active paragraph={{ rows: 8 }} />;
  if (!definition) {
    return (
      <EmptyState
        title={t("start.gone")}
        hint={t("start.goneHint")}
        action={
          <Button type="primary" onClick={() => void navigate("/bpm/task/create")}>
            {t("start.toCatalogue")}
          </Button>
        }
      />
    );
  }
  if (definition.formType === FORM_BUSINESS) {
    return <ToBusinessPage definition={definition} from={earlier.data?.businessKey ?? ""} />;
  }
  return <StartForm definition={definition} begin={earlier.data?.formVariables} />;
}

/** The form of a business process is a page of its module; it gets the row to begin with. */
function ToBusinessPage({ definition, from }: { definition: Startable; from: string }) {
  const navigate = useNavigate();
  const { formCustomCreatePath: path } = definition;
  useEffect(() => {
    const more = from ? `${path.includes("?") ? "&" : "?"}from=${encodeURIComponent(from)}` : "";
    void navigate(path + more, { replace: true });
  }, [navigate, path, from]);
  return <Skeleton active />;
}
