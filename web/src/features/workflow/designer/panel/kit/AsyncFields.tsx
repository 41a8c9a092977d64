import { useTranslation } from "@/kernel/i18n";
import { apply, type Change } from "./change";
import { extensionText, extensionTexts } from "./extensions";
import { CheckField } from "./fields";
import { type Scope, text, useScope, vendor } from "./scope";
import { TextField } from "./TextField";
import type { ModdleElement } from "./wire";

const RETRY = "FailedJobRetryTimeCycle";

interface Flags {
  before: boolean;
  after: boolean;
}

const flag = (scope: Scope, of: ModdleElement, name: string) => text(of, vendor(scope, name)) === "true";

/** What the element says under any of the names that the three engines use. */
function flagsOf(scope: Scope, of: ModdleElement): Flags {
  return {
    before: flag(scope, of, "asyncBefore") || flag(scope, of, "async"),
    after: flag(scope, of, "asyncAfter") || flag(scope, of, "asyncLeave"),
  };
}

/** Async flags, exclusiveness and retries of an element or of a multi-instance. */
export function AsyncFields({ of }: { of: ModdleElement }) {
  const { t } = useTranslation("panel");
  const scope = useScope();
  const flags = flagsOf(scope, of);
  const write = (next: Partial<Flags>) => apply(scope, flagChanges(scope, of, { ...flags, ...next }));
  const exclusive = text(of, vendor(scope, "exclusive")) !== "false";
  return (
    <>
      <CheckField
        label={t("attr.asyncBefore")}
        value={flags.before}
        onChange={(before) => write({ before })}
      />
      <CheckField label={t("attr.asyncAfter")} value={flags.after} onChange={(after) => write({ after })} />
      {flags.before || flags.after ? (
        <>
          <CheckField
            label={t("attr.exclusive")}
            value={exclusive}
            onChange={(next) =>
              apply(scope, [
                { target: of, props: { [vendor(scope, "exclusive")]: next ? undefined : false } },
              ])
            }
          />
          <TextField
            label={t("async.retry")}
            help={t("async.retryHelp")}
            expression="may"
            value={extensionText(scope, of, RETRY)}
            onCommit={(next) => apply(scope, extensionTexts(scope, of, { [RETRY]: next.trim() }))}
          />
        </>
      ) : null}
    </>
  );
}

/**
 * The specified names, with those the engine itself knows on Activiti and Flowable. Without any pause
 * exclusive is forced off and the retries go; the first pause makes it exclusive again.
 */
function flagChanges(scope: Scope, of: ModdleElement, { before, after }: Flags): Change[] {
  const had = flagsOf(scope, of);
  const own = scope.dialect === "camunda" ? "" : "both";
  const onlyTrue = (value: boolean) => value || undefined;
  const props: Record<string, unknown> = {
    asyncBefore: onlyTrue(before),
    asyncAfter: onlyTrue(after),
    // Camunda reads the old name too, so it must not stay behind.
    async: own ? onlyTrue(before) : undefined,
  };
  if (scope.dialect === "flowable") props.asyncLeave = onlyTrue(after);
  const none = !before && !after;
  if (none) props.exclusive = false;
  else if (!had.before && !had.after) props.exclusive = undefined;
  const named = Object.fromEntries(
    Object.entries(props).map(([name, value]) => [vendor(scope, name), value]),
  );
  return [{ target: of, props: named }, ...(none ? extensionTexts(scope, of, { [RETRY]: "" }) : [])];
}
