import { Alert, Button, Flex, Modal, Progress } from "antd";
import { useEffect, useRef, useState } from "react";
import { ApiError, errorText } from "@/kernel/api/errors";
import { useTranslation } from "@/kernel/i18n";
import { toast } from "@/kernel/ui";
import { ResumableUpload, refusal } from "@/kernel/upload";
import { UserAvatar } from "@/layout";
import { type Profile, updateProfile } from "./calls";

interface Props {
  profile: Profile;
  onDone: () => Promise<unknown>;
}

/** The picture of the user, with a preview of its square before it is taken. */
export function AvatarChooser({ profile, onDone }: Props) {
  const { t } = useTranslation("identity");
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [refused, setRefused] = useState("");
  const choose = (chosen: File | undefined) => {
    if (!chosen) return;
    const reason = refusal(chosen, "avatar");
    setRefused(reason);
    if (!reason) setFile(chosen);
  };
  const remove = async () => {
    try {
      await updateProfile({ avatar: "" });
      await onDone();
    } catch (error) {
      setRefused(errorText(error));
    }
  };
  return (
    <Flex vertical gap={8} align="center">
      <UserAvatar name={profile.nickname || profile.username} avatar={profile.avatar} size={96} />
      <Flex gap={8}>
        <Button onClick={() => input.current?.click()}>{t("profile.changeAvatar")}</Button>
        {profile.avatar ? (
          <Button type="text" onClick={() => void remove()}>
            {t("profile.removeAvatar")}
          </Button>
        ) : null}
      </Flex>
      {refused ? <Alert type="error" role="alert" title={refused} /> : null}
      <input
        ref={input}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp,image/gif"
        aria-label={t("profile.changeAvatar")}
        onChange={(event) => {
          choose(event.target.files?.[0]);
          event.target.value = "";
        }}
      />
      {file ? (
        <Preview
          file={file}
          onDone={onDone}
          onClose={() => setFile(null)}
          onOther={() => input.current?.click()}
        />
      ) : null}
    </Flex>
  );
}

interface PreviewProps {
  file: File;
  onDone: () => Promise<unknown>;
  onClose: () => void;
  onOther: () => void;
}

const SIZES = [160, 64, 28];

function Preview({ file, onDone, onClose, onOther }: PreviewProps) {
  const { t } = useTranslation("identity");
  const address = useAddress(file);
  const [percent, setPercent] = useState<number | null>(null);
  const [problem, setProblem] = useState("");
  const save = async () => {
    setProblem("");
    setPercent(0);
    try {
      const upload = new ResumableUpload(file, "avatar", ({ loaded, total }) =>
        setPercent(Math.round((loaded / total) * 100)),
      );
      const stored = await upload.run();
      await updateProfile({ avatar: String(stored.id) });
      await onDone();
      toast.success(t("profile.avatarSaved"));
      onClose();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.msg : errorText(error));
      setPercent(null);
    }
  };
  return (
    <Modal
      open
      title={t("profile.avatarTitle")}
      okText={t("profile.avatarUse")}
      cancelText={t("kernel:action.cancel")}
      confirmLoading={percent !== null}
      mask={{ closable: false }}
      onOk={() => void save()}
      onCancel={onClose}
    >
      <p>{t("profile.avatarAbout")}</p>
      {problem ? <Alert type="error" role="alert" title={problem} /> : null}
      <Flex gap={24} align="end" justify="center" wrap style={{ marginBlock: 16 }}>
        {SIZES.map((size) => (
          <img
            key={size}
            src={address || undefined}
            alt={t("profile.avatarPreview", { size })}
            className="profile-preview"
            style={{ width: size, height: size }}
          />
        ))}
      </Flex>
      <Flex justify="center">
        <Button onClick={onOther} disabled={percent !== null}>
          {t("profile.avatarOther")}
        </Button>
      </Flex>
      {percent !== null ? <Progress percent={percent} aria-label={t("profile.avatarSending")} /> : null}
    </Modal>
  );
}

function useAddress(file: File): string {
  const [address, setAddress] = useState("");
  useEffect(() => {
    const url = URL.createObjectURL(file);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return address;
}
