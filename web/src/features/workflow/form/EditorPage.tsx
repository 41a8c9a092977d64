import { Button, Skeleton } from "antd";
import { useNavigate, useSearchParams } from "react-router";
import { useAccess } from "@/kernel/access";
import { titleOf } from "@/kernel/crud";
import { useTranslation } from "@/kernel/i18n";
import { EmptyState, ErrorState, ForbiddenState, PageHeader } from "@/kernel/ui";
import { FormEditor } from "./FormEditor";
import { formEntity, useStoredForm } from "./useFormRecord";

/** The page that designs the form `?id=` names. */
export default function FormEditorPage() {
  const { t } = useTranslation("workflow");
  const [search] = useSearchParams();
  const { hasPermission } = useAccess();
  const id = Number(search.get("id")) || 0;
  const permitted = hasPermission(["bpm:form:update"]);
  const { data, error, refetch } = useStoredForm(permitted ? id : 0);
  if (data) return <FormEditor key={id} form={data} reload={async () => (await refetch()).data} />;
  return (
    <>
      <PageHeader title={t("builder.pageTitle")} />
      {permitted ? (
        <Before id={id} error={error} onRetry={() => void refetch()} />
      ) : (
        <ForbiddenState title={titleOf(formEntity)} permission="bpm:form:update" />
      )}
    </>
  );
}

interface BeforeProps {
  id: number;
  error: unknown;
  onRetry: () => void;
}

/** What stands there until there is a form to design. */
function Before({ id, error, onRetry }: BeforeProps) {
  const { t } = useTranslation("workflow");
  const navigate = useNavigate();
  if (id === 0) {
    return (
      <EmptyState
        title={t("builder.noId")}
        action={
          <Button type="primary" onClick={() => void navigate("/bpm/manager/form")}>
            {t("builder.toList")}
          </Button>
        }
      />
    );
  }
  if (error) return <ErrorState error={error} onRetry={onRetry} />;
  return <Skeleton active paragraph={{ rows: 8 }} />;
}
