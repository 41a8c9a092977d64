/** Where to go after sign-in: the page asked for, if it is one of ours, else the start. */
export function safeTarget(wanted: string | null | undefined): string {
  if (!wanted?.startsWith("/") || /^\/[/\\]/.test(wanted)) return "/";
  const publicPage = /^\/(login|studentLogin|systemStudentLogin|404|401)(?=$|[/?#])/;
  return publicPage.test(wanted) ? "/" : wanted;
}
