import { useCallback, useEffect, useState } from "react";
import { errorText } from "@/kernel/api/errors";
import { t } from "@/kernel/i18n";
import type { CaptchaReply } from "../api";
import type { CaptchaResult } from "./answer";

export interface ChallengeState<Data> {
  challenge: Data | null;
  /** What is said about the last answer or failure. */
  message: string;
  failed: boolean;
  busy: boolean;
  renew: (message?: string) => Promise<void>;
  /** Sends an answer; a wrong one brings a new challenge. */
  answer: (send: (challenge: Data) => Promise<CaptchaResult>) => Promise<void>;
}

/** The texts the contract's codes stand for; others carry their own. */
function resultText(code: string, message: string | null): string {
  if (code === "6111") return t("auth:captcha.wrong");
  if (code === "6110") return t("auth:captcha.expired");
  if (code === "6201" || code === "6202" || code === "6204") return t("auth:captcha.tooOften");
  return message || t("auth:captcha.failed");
}

/** Fetches a challenge, sends answers, and fetches the next one after a wrong answer. */
export function useChallenge<Data>(
  fetchChallenge: () => Promise<CaptchaReply<Data>>,
  onVerified: (verification: string) => void,
): ChallengeState<Data> {
  const [challenge, setChallenge] = useState<Data | null>(null);
  const [state, setState] = useState({ message: "", failed: false, busy: true });
  const renew = useCallback(
    async (message = "") => {
      setState({ message, failed: message !== "", busy: true });
      setChallenge(null);
      try {
        const reply = await fetchChallenge();
        if (reply.repCode === "0000" && reply.repData) {
          setChallenge(reply.repData);
          setState({ message, failed: message !== "", busy: false });
        } else {
          setState({ message: resultText(reply.repCode, reply.repMsg), failed: true, busy: false });
        }
      } catch (error) {
        setState({ message: errorText(error), failed: true, busy: false });
      }
    },
    [fetchChallenge],
  );
  useEffect(() => {
    void renew();
  }, [renew]);
  const answer = async (send: (challenge: Data) => Promise<CaptchaResult>) => {
    if (!challenge || state.busy) return;
    setState({ message: t("auth:captcha.checking"), failed: false, busy: true });
    try {
      const result = await send(challenge);
      if (!result.ok) return await renew(resultText(result.code, result.message));
      setState({ message: t("auth:captcha.passed"), failed: false, busy: true });
      onVerified(result.verification);
    } catch (error) {
      await renew(errorText(error));
    }
  };
  return { challenge, ...state, renew, answer };
}
