import { useQuery } from "@tanstack/react-query";
import { Alert, Skeleton } from "antd";
import { lazy, type ReactNode, Suspense } from "react";
import { useSearchParams } from "react-router";
import { useAccess } from "@/kernel/access";
import { titleOf } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { ErrorBoundary, ErrorState, ForbiddenState, PageHeader } from "@/kernel/ui";
import { modelEntity } from "../model/entity";
import { fetchModel, type StoredModel } from "./useSaving";

const Designer = lazy(() => import("./Designer").then((part) => ({ default: part.Designer })));
const Diagram = lazy(() => import("../viewer/Diagram").then((part) => ({ default: part.Diagram })));

/** The page that draws the model `?id=` names; without an id it is a place to try things out. */
export default function DesignerPage() {
  const [search] = useSearchParams();
  const { hasPermission } = useAccess();
  const id = search.get("id") ?? "";
  const mayRead = hasPermission(["bpm:model:query"]);
  const model = useQuery({
    queryKey: ["model-design", id],
    queryFn: () => fetchModel(id),
    enabled: id !== "" && mayRead,
    gcTime: 0,
    retry: false,
    // Not fetched again behind the designer's back.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (id !== "" && !mayRead) {
    return (
      <Outside>
        <ForbiddenState title={titleOf(modelEntity)} permission="bpm:model:query" />
      </Outside>
    );
  }
  if (model.error && !model.data) {
    return (
      <Outside>
        <ErrorState error={model.error} onRetry={() => void model.refetch()} />
      </Outside>
    );
  }
  if (id !== "" && !model.data)
    return (
      <Outside>
        <Skeleton active paragraph={{ rows: 8 }} />
      </Outside>
    );
  if (model.data && !hasPermission(["bpm:model:update"])) return <ReadOnly model={model.data} />;
  return (
    <ErrorBoundary>
      <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>
        <Designer
          key={`${id} ${model.dataUpdatedAt}`}
          model={model.data}
          reload={() => void model.refetch()}
        />
      </Suspense>
    </ErrorBoundary>
  );
}

/** Stands around what there is before a drawing. */
function Outside({ children }: { children: ReactNode }) {
  const { t } = useTranslation("designer");
  return (
    <>
      <PageHeader title={t("head.pageTitle")} />
      {children}
    </>
  );
}

/** The drawing for those who may look and not change. */
function ReadOnly({ model }: { model: StoredModel }) {
  const { t } = useTranslation("designer");
  return (
    <>
      <PageHeader title={t("head.title", { name: model.name })} />
      <Alert type="info" title={t("head.readOnly")} style={{ marginBottom: 16 }} />
      <Suspense fallback={<Skeleton active paragraph={{ rows: 8 }} />}>
        <Diagram xml={model.bpmnXml} name={model.name} height={560} />
      </Suspense>
    </>
  );
}
