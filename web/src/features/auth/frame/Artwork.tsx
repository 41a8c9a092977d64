/** Mountains at dawn, a path of eleven steps up to a sealed scroll: the way of a thesis. */
export function Artwork() {
  return (
    <svg viewBox="0 0 600 640" preserveAspectRatio="xMidYMax slice" focusable="false" aria-hidden="true">
      <defs>
        <linearGradient id="auth-sky" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#14304f" />
          <stop offset="0.55" stopColor="#2a5d88" />
          <stop offset="1" stopColor="#7fb3c4" />
        </linearGradient>
        <linearGradient id="auth-mist" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#ffffff" stopOpacity="0" />
          <stop offset="0.6" stopColor="#ffffff" stopOpacity="0.22" />
          <stop offset="1" stopColor="#ffffff" stopOpacity="0" />
        </linearGradient>
      </defs>
      <rect width="600" height="640" fill="url(#auth-sky)" />
      <circle cx="452" cy="150" r="56" fill="#f6e7c6" opacity="0.92" />
      <circle cx="452" cy="150" r="92" fill="#f6e7c6" opacity="0.12" />
      <path
        d="M0 430 L96 338 L170 402 L250 320 L344 428 L470 316 L540 388 L600 346 V640 H0Z"
        fill="#3b7499"
      />
      <rect y="340" width="600" height="150" fill="url(#auth-mist)" />
      <path
        d="M0 520 L96 452 L150 480 L228 398 L262 410 L338 318 L398 396 L430 384 L520 486 L600 440 V640 H0Z"
        fill="#1d4a70"
      />
      <path d="M338 318 L398 396 L430 384 L520 486 L410 640 H300 L360 520 L318 430Z" fill="#173d5e" />
      <rect y="450" width="600" height="130" fill="url(#auth-mist)" />
      <path d="M0 580 C120 530 220 590 330 548 S520 536 600 566 V640 H0Z" fill="#102a44" />
      <Steps />
      <Scroll />
    </svg>
  );
}

const steps: readonly (readonly [number, number])[] = [
  [46, 602],
  [104, 588],
  [164, 580],
  [222, 564],
  [270, 540],
  [292, 508],
  [266, 478],
  [284, 444],
  [316, 418],
  [302, 384],
  [334, 350],
];

function Steps() {
  const line = steps.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join(" ");
  return (
    <g>
      <path
        d={line}
        fill="none"
        stroke="#f6e7c6"
        strokeWidth="2"
        strokeDasharray="3 7"
        strokeLinecap="round"
      />
      {steps.map(([x, y], index) => (
        <circle key={`${x}-${y}`} cx={x} cy={y} r={index === steps.length - 1 ? 7 : 4.5} fill="#f6e7c6" />
      ))}
    </g>
  );
}

function Scroll() {
  return (
    <g transform="translate(282 226)">
      <rect x="0" y="8" width="112" height="80" rx="4" fill="#fffaf0" />
      <rect x="-8" y="0" width="128" height="14" rx="7" fill="#c9a35c" />
      <rect x="-8" y="82" width="128" height="14" rx="7" fill="#c9a35c" />
      <path d="M18 32h76M18 46h76M18 60h44" stroke="#8a94a3" strokeWidth="4" strokeLinecap="round" />
      <rect x="76" y="54" width="22" height="22" rx="3" fill="#c8321f" />
      <path d="M82 60h10M82 65h10M82 70h10" stroke="#fff" strokeWidth="2" />
    </g>
  );
}
