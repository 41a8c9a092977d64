import { useCallback } from "react";
import { useNavigate } from "react-router";
import { isWebAddress } from "./routes/fromMenus";

export function openElsewhere(address: string): void {
  window.open(address, "_blank", "noopener,noreferrer");
}

/** Goes to a path of the application; foreign addresses open in a new browser tab. */
export function useGoTo(): (path: string) => void {
  const navigate = useNavigate();
  return useCallback(
    (path: string) => {
      if (isWebAddress(path)) openElsewhere(path);
      else void navigate(path);
    },
    [navigate],
  );
}
