import { useQuery } from "@tanstack/react-query";
import { Avatar } from "antd";
import { useEffect, useState } from "react";
import { fetchBlob } from "@/kernel/api/client";

interface Props {
  name: string;
  avatar: string | number | null | undefined;
  size?: number;
}

/** A person's picture; without one the last two characters of the name. */
export function UserAvatar({ name, avatar, size = 28 }: Props) {
  const address = useAvatarAddress(avatar);
  const short = name.length > 2 && /^[\u4e00-\u9fff·]+$/.test(name) ? name.slice(-2) : name.slice(0, 2);
  const style = { background: "var(--viva-primary)", color: "#fff", flex: "none" };
  if (address) return <Avatar size={size} src={address} alt="" />;
  return (
    <Avatar size={size} style={style} aria-hidden="true">
      {short}
    </Avatar>
  );
}

/** Avatars are addresses or ids of stored files; files need the session and come as blobs. */
function useAvatarAddress(avatar: Props["avatar"]): string | null {
  const value = avatar === null || avatar === undefined ? "" : String(avatar);
  const isFile = /^\d+$/.test(value);
  const { data } = useQuery({
    queryKey: ["infra", "file", value],
    queryFn: () => fetchBlob("/infra/file/download", { id: value }, { silent: true, relogin: false }),
    enabled: isFile,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const [address, setAddress] = useState<string | null>(null);
  useEffect(() => {
    if (!data) return;
    const url = URL.createObjectURL(data);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [data]);
  if (!isFile) return value || null;
  return data ? address : null;
}
