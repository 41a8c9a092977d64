/** Says aloud and in writing what became of an answer. */
export function CaptchaStatus({ message, failed }: { message: string; failed: boolean }) {
  return (
    <p role="status" className={failed ? "puzzle-status is-failed" : "puzzle-status"}>
      {message}
    </p>
  );
}
