import { put } from "@/kernel/api/client";
import { ActDialog } from "@/kernel/form";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { NewPassword } from "../shared/NewPassword";
import { type User, userName } from "./types";

interface Props {
  user: User | null;
  onClose: () => void;
}

/** Sets a new password for somebody else; all of his sessions end. */
export function ResetPassword({ user, onClose }: Props) {
  const { t } = useTranslation("identity");
  const name = user ? userName(user) : "";
  const submit = async ({ password }: { password: string }) => {
    await put("/system/user/update-password", { id: user?.id, password }, { silent: true });
    toast.success(t("user.passwordReset", { name }));
  };
  return (
    <ActDialog<{ password: string }>
      open={user !== null}
      title={t("user.resetTitle", { name })}
      okText={t("user.resetOk")}
      about={t("user.resetAbout")}
      onSubmit={submit}
      onClose={onClose}
    >
      <NewPassword name="password" label={t("password.new")} username={user?.username ?? ""} offerRandom />
    </ActDialog>
  );
}
