/** The product's own mark: a scroll with a seal, drawn in the brand colour. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="var(--viva-brand)" />
      <path d="M9 7h11l4 4v14H9z" fill="#fff" />
      <path d="M20 7v4h4" fill="none" stroke="#33475f" strokeWidth="1.4" />
      <path d="M12 14h8M12 17.5h8M12 21h4.5" stroke="#33475f" strokeWidth="1.4" strokeLinecap="round" />
      <circle cx="20.5" cy="22" r="2.6" fill="#c8321f" />
    </svg>
  );
}
