import { render, screen } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { signInAs } from "@/testing/render";
import { hasPermission, hasRole, IfPermission, IfRole } from ".";

describe("checks", () => {
  test("permission: exact match, any and all, and the master permission", () => {
    signInAs({ permissions: ["a:b:c", "a:b:d"] });
    expect(hasPermission(["a:b:c", "x"])).toBe(true);
    expect(hasPermission(["a:b:c", "x"], "all")).toBe(false);
    expect(hasPermission(["a:b:c", "a:b:d"], "all")).toBe(true);
    expect(hasPermission(["a:b"])).toBe(false);
    signInAs({ permissions: ["*:*:*"] });
    expect(hasPermission(["anything", "else"], "all")).toBe(true);
  });

  test("role: exact match, any and all, and the super roles", () => {
    signInAs({ roles: ["teacher"] });
    expect(hasRole(["teacher", "x"])).toBe(true);
    expect(hasRole(["teacher", "x"], "all")).toBe(false);
    for (const role of ["admin", "super_admin"]) {
      signInAs({ roles: [role] });
      expect(hasRole(["anything"], "all")).toBe(true);
    }
    signInAs({ roles: ["tenant_admin"] });
    expect(hasRole(["anything"])).toBe(false);
  });

  test("a check without a list is a mistake and says so", () => {
    signInAs();
    expect(() => hasPermission([])).toThrow("请设置操作权限标签值");
    expect(() => hasPermission(undefined as unknown as string[])).toThrow("请设置操作权限标签值");
    expect(() => hasRole([])).toThrow("请设置角色权限标签值");
  });
});

test("components show their children only when the check passes", () => {
  signInAs({ permissions: ["a:b:c"], roles: ["teacher"] });
  render(
    <>
      <IfPermission value={["a:b:c"]}>may</IfPermission>
      <IfPermission value={["a:b:x"]}>may not</IfPermission>
      <IfRole value={["teacher"]}>is</IfRole>
      <IfRole value={["dean"]}>is not</IfRole>
    </>,
  );
  expect(screen.queryByText(/may not|is not/)).toBeNull();
  expect(document.body.textContent).toBe("mayis");
});
