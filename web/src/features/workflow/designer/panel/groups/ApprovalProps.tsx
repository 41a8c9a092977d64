import { useTranslation } from "@/kernel/i18n";
import { type Method, methodChanges, methodOf } from "../kit/approval";
import { apply } from "../kit/change";
import { extensionText, extensionTexts } from "../kit/extensions";
import { CheckField, SelectField } from "../kit/fields";
import { IdsField } from "../kit/IdsField";
import { NumberField } from "../kit/NumberField";
import { children, processOf, text, useScope } from "../kit/scope";
import { ButtonSettings } from "./ButtonSettings";
import { CandidateFields } from "./CandidateFields";
import { FieldPermissions } from "./FieldPermissions";

const methods: Method[] = ["1", "2", "3", "4"];

/** Who decides a user task, how, and what he may do; read by the approval layer of the server. */
export function ApprovalProps() {
  const { t } = useTranslation("panel");
  return (
    <>
      <Choice type="ApproveType" values={["1", "2", "3"]} />
      <CandidateFields />
      <MethodFields />
      <Choice type="AssignStartUserHandlerType" values={["1", "2", "3"]} />
      <Choice type="AssignEmptyHandlerType" values={["1", "2", "3", "4"]} />
      <EmptyUsers />
      <Choice type="RejectHandlerType" values={["1", "2"]} />
      <ReturnTask />
      <Flag type="ReasonRequire" />
      <Flag type="SignEnable" />
      <h3 className="panel-sub">{t("approval.buttons")}</h3>
      <ButtonSettings />
      <h3 className="panel-sub">{t("approval.fields")}</h3>
      <FieldPermissions />
    </>
  );
}

/** A number of the approval layer; without one its standard counts. */
function Choice({ type, values }: { type: string; values: string[] }) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  return (
    <SelectField
      label={t(`approval.${type}`)}
      value={extensionText(scope, scope.bo, type)}
      options={[
        { value: "", label: t("approval.standard") },
        ...values.map((value) => ({ value, label: t(`approval.choice.${type}.${value}`) })),
      ]}
      onChange={(next) => {
        const gone: Record<string, string> = { [type]: next };
        if (type === "AssignEmptyHandlerType" && next !== "3") gone.AssignEmptyUserIds = "";
        if (type === "RejectHandlerType" && next !== "2") gone.RejectReturnTaskId = "";
        apply(scope, extensionTexts(scope, scope.bo, gone));
      }}
    />
  );
}

function Flag({ type }: { type: string }) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  return (
    <CheckField
      label={t(`approval.${type}`)}
      value={extensionText(scope, scope.bo, type).toLowerCase() === "true"}
      onChange={(next) => apply(scope, extensionTexts(scope, scope.bo, { [type]: next ? "true" : "" }))}
    />
  );
}

function MethodFields() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const { method, ratio } = methodOf(scope);
  const options = methods.map((value) => ({ value: value as string, label: t(`approval.method.${value}`) }));
  return (
    <>
      <SelectField
        label={t("approval.methodTitle")}
        help={method ? undefined : t("approval.methodOwn")}
        value={method ?? "own"}
        options={method ? options : [...options, { value: "own", label: t("approval.method.own") }]}
        onChange={(next) => apply(scope, methodChanges(scope, next as Method, 100))}
      />
      {method === "2" ? (
        <NumberField
          label={t("approval.ratio")}
          value={ratio}
          min={1}
          max={100}
          onCommit={(next) => apply(scope, methodChanges(scope, "2", next))}
        />
      ) : null}
    </>
  );
}

function EmptyUsers() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  if (extensionText(scope, scope.bo, "AssignEmptyHandlerType") !== "3") return null;
  return (
    <IdsField
      label={t("approval.AssignEmptyUserIds")}
      path="/system/user/list-all-simple"
      value={extensionText(scope, scope.bo, "AssignEmptyUserIds")}
      onChange={(next) => apply(scope, extensionTexts(scope, scope.bo, { AssignEmptyUserIds: next }))}
    />
  );
}

/** The earlier task a rejection goes back to. */
function ReturnTask() {
  const { t } = useTranslation("panel");
  const scope = useScope();
  if (extensionText(scope, scope.bo, "RejectHandlerType") !== "2") return null;
  const tasks = children(processOf(scope.bo), "flowElements").filter(
    (one) => one.$type === "bpmn:UserTask" && one !== scope.bo,
  );
  return (
    <SelectField
      label={t("approval.RejectReturnTaskId")}
      value={extensionText(scope, scope.bo, "RejectReturnTaskId")}
      options={[
        { value: "", label: t("approval.chooseTask") },
        ...tasks.map((one) => ({ value: text(one, "id"), label: text(one, "name") || text(one, "id") })),
      ]}
      onChange={(next) => apply(scope, extensionTexts(scope, scope.bo, { RejectReturnTaskId: next }))}
    />
  );
}
