import { useQuery } from "@tanstack/react-query";
import { Button, Drawer, Flex, Skeleton } from "antd";
import { useState } from "react";
import { useAccess } from "@/kernel/access/access";
import { get, post, put } from "@/kernel/api/client";
import { errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { confirmLeave, EmptyState, ErrorState, toast, useMobile, useUnsaved } from "@/kernel/ui";
import type { TaskRule } from "./calls";
import { type Choice, RuleCard } from "./RuleCard";
import { needsOptions } from "./ruleTypes";

interface Props {
  /** A model, whose rules may be changed, or a deployed version, whose rules are only shown. */
  owner: { name: string; modelId?: number; processDefinitionId?: number };
  onClose: () => void;
}

const path = "/bpm/task-assign-rule";

/** Who decides each user task of a diagram. */
export function RuleDrawer({ owner, onClose }: Props) {
  const { t } = useTranslation("workflow");
  const access = useAccess();
  const mobile = useMobile();
  const [chosen, setChosen] = useState<Record<string, Choice>>({});
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);
  const { name, ...query } = owner;
  const rules = useQuery({
    queryKey: [path, query],
    queryFn: ({ signal }) => get<TaskRule[]>(`${path}/list`, query, { silent: true, signal }),
    gcTime: 0,
    retry: false,
  });
  const fixed = owner.modelId === undefined;
  const mayAdd = !fixed && access.hasPermission(["bpm:task-assign-rule:create"]);
  const mayChange = !fixed && access.hasPermission(["bpm:task-assign-rule:update"]);
  const dirty = Object.keys(chosen).length > 0;
  useUnsaved(dirty);

  const close = async () => {
    if (!dirty || (await confirmLeave())) onClose();
  };
  const save = async () => {
    setBusy(true);
    const left = { ...chosen };
    const wrong: Record<string, string> = {};
    for (const rule of rules.data ?? []) {
      const choice = left[rule.taskDefinitionKey];
      if (!choice) continue;
      try {
        if (needsOptions(choice.type) && choice.options.length === 0) throw new Error(t("rule.chooseSome"));
        await send(rule, choice, owner.modelId);
        delete left[rule.taskDefinitionKey];
      } catch (error) {
        wrong[rule.taskDefinitionKey] = errorText(error);
      }
    }
    await rules.refetch();
    setChosen(left);
    setProblems(wrong);
    setBusy(false);
    if (Object.keys(wrong).length > 0) return;
    toast.success(t("rule.saved", { name }));
    onClose();
  };
  const change = (key: string, choice: Choice) => setChosen((present) => ({ ...present, [key]: choice }));

  return (
    <Drawer
      open
      onClose={() => void close()}
      mask={{ closable: false }}
      size={mobile ? "100%" : 600}
      title={t("rule.title", { name })}
      footer={
        mayAdd || mayChange ? (
          <Flex gap={8} justify="end">
            <Button onClick={() => void close()}>{t("kernel:action.cancel")}</Button>
            <Button type="primary" loading={busy} onClick={() => (dirty ? void save() : onClose())}>
              {t("rule.save")}
            </Button>
          </Flex>
        ) : null
      }
    >
      <p>{t(fixed ? "rule.fixedAbout" : "rule.about")}</p>
      {rules.isPending ? <Skeleton active /> : null}
      {rules.error ? <ErrorState error={rules.error} onRetry={() => void rules.refetch()} /> : null}
      {rules.data?.length === 0 ? <EmptyState title={t("rule.none")} /> : null}
      <Flex vertical gap={16}>
        {(rules.data ?? []).map((rule) => (
          <RuleCard
            key={rule.taskDefinitionKey}
            rule={rule}
            choice={chosen[rule.taskDefinitionKey]}
            problem={problems[rule.taskDefinitionKey]}
            onChange={
              (rule.id === null ? mayAdd : mayChange)
                ? (choice) => change(rule.taskDefinitionKey, choice)
                : undefined
            }
          />
        ))}
      </Flex>
    </Drawer>
  );
}

async function send(rule: TaskRule, choice: Choice, modelId: number | undefined): Promise<void> {
  if (rule.id !== null) {
    await put<boolean>(`${path}/update`, { id: rule.id, ...choice }, { silent: true });
    return;
  }
  const { taskDefinitionKey } = rule;
  await post<number>(`${path}/create`, { modelId, taskDefinitionKey, ...choice }, { silent: true });
}
