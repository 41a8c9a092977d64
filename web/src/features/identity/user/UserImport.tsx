import { titleOf } from "@/kernel/crud";
import { ImportDialog, type ImportReport } from "@/kernel/crud/ImportDialog";
import { useTranslation } from "@/kernel/i18n";
import { entity } from "./types";

/** What the import answers: names that were taken, and every refused row of the sheet. */
interface Answer extends Pick<ImportReport, "failures"> {
  createUsernames: string[];
  updateUsernames: string[];
}

function read(answer: unknown): ImportReport {
  const { createUsernames, updateUsernames, failures } = answer as Answer;
  return { created: createUsernames.length, updated: updateUsernames.length, failures };
}

/** Imports accounts from a workbook; good rows stay, refused ones are listed with their reasons. */
export function UserImport({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation("identity");
  const texts = {
    title: t("user.importTitle"),
    help: t("user.importHelp"),
    update: t("user.importUpdate"),
    created: t("user.importPassword"),
  };
  return (
    <ImportDialog
      entity={entity}
      title={titleOf(entity)}
      open={open}
      texts={texts}
      read={read}
      onClose={onClose}
    />
  );
}
