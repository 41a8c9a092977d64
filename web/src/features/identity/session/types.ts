/** A signed-in device; accessToken is the handle that ends it. */
export interface Session {
  id: number;
  accessToken: string;
  userId: number;
  userType: number;
  username: string;
  nickname: string;
  clientId: string;
  userIp: string;
  userAgent: string;
  createTime: number;
  lastTime: number;
  expiresTime: number;
}

const browsers: [string, RegExp][] = [
  ["Edge", /Edg(?:e|A|iOS)?\/(\d+)/],
  ["WeChat", /MicroMessenger\/(\d+)/],
  ["Firefox", /(?:Firefox|FxiOS)\/(\d+)/],
  ["Opera", /OPR\/(\d+)/],
  ["Chrome", /(?:Chrome|CriOS)\/(\d+)/],
  ["Safari", /Version\/(\d+).*Safari/],
];

const systems: [string, RegExp][] = [
  ["HarmonyOS", /HarmonyOS|OpenHarmony/],
  ["Android", /Android/],
  ["iOS", /iPhone|iPad|iPod/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X|Macintosh/],
  ["Linux", /Linux/],
];

export interface Device {
  browser: string;
  system: string;
  phone: boolean;
}

/** What a browser says of itself, in words; empty where it says nothing known. */
export function deviceOf(userAgent: string): Device {
  const found = browsers.find(([, pattern]) => pattern.test(userAgent));
  const version = found?.[1].exec(userAgent)?.[1] ?? "";
  const system = systems.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? "";
  return {
    browser: found ? `${found[0]} ${version}`.trim() : "",
    system,
    phone: /Mobile|Android|iPhone|iPod/.test(userAgent),
  };
}
