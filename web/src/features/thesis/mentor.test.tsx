import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { fillDicts, renderPage, signInAs } from "@/testing/render";
import { api, http, ok, server } from "@/testing/server";
import MentorPage from "./mentor";
import { dicts } from "./shared/fixture";

const mentor = {
  role: 1,
  advisorId: 5,
  name: "陈远",
  titleRank: 1,
  deptName: "信息学院",
  email: "chen@example.edu",
  researchKeywords: ["知识图谱"],
  officeHours: "",
  startDate: "2025-09-01",
  endDate: "",
};

beforeEach(() => {
  signInAs({ user: { id: 3, username: "s", nickname: "林小满", type: 1 } });
  fillDicts(dicts);
});

test("my advisor, how to reach him, and who it was before", async () => {
  const former = { ...mentor, advisorId: 6, name: "周老师", endDate: "2025-08-31", startDate: "2024-09-01" };
  server.use(
    http.get(api("/thesis/supervision/my-mentor"), () =>
      ok({ current: [mentor], history: [former], hint: "" }),
    ),
  );
  renderPage(<MentorPage />);
  await screen.findByText("陈远");
  const [mail] = screen.getAllByRole("link", { name: "chen@example.edu" });
  expect(mail?.getAttribute("href")).toBe("mailto:chen@example.edu");
  screen.getByText("以前的导师");
  screen.getByText("2024-09-01 – 2025-08-31");
  expect(screen.getAllByText("未填写")).toHaveLength(2);
});

test("nobody yet: what happens next", async () => {
  server.use(
    http.get(api("/thesis/supervision/my-mentor"), () =>
      ok({ current: [], history: [], hint: "由学院分配后会显示在这里" }),
    ),
  );
  renderPage(<MentorPage />);
  await screen.findByText("尚未分配导师");
  screen.getByText("由学院分配后会显示在这里");
});
