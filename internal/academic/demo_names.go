package academic

// The parts of invented names and institutions of the demo university.
var (
	surnames = []rune("赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕施张孔曹严华金魏陶姜谢邹喻柏窦章云苏潘葛范彭鲁韦马苗方俞任袁柳史唐费薛雷贺倪汤")
	given1   = []rune("子文思雨若嘉明景书星云清远宇浩佳欣诗语晨亦可知行安和怀瑾南乔予昭乐承泽允君")
	given2   = []rune("轩涵宁远航悦然琪瑶霖泽睿妍辰熙彤洋帆阳博凡薇岚舟溪禾川楠昕玥珩")
)

type demoCollege struct {
	name   string
	majors []demoMajor
}

type demoMajor struct {
	code, name string
	degreeType int
	keywords   []string
}

var demoColleges = [2][]demoCollege{
	{
		{"信息学院", []demoMajor{{"0812", "计算机科学与技术", 1, []string{"模型压缩", "知识图谱"}}, {"0810", "信息与通信工程", 1, []string{"信道估计", "智能感知"}}, {"0854", "电子信息", 2, []string{"工业视觉", "边缘计算"}}}},
		{"机械学院", []demoMajor{{"0802", "机械工程", 1, []string{"精密加工", "故障诊断"}}, {"0855", "机械", 2, []string{"柔性装配", "增材制造"}}, {"0807", "动力工程及工程热物理", 1, []string{"余热利用", "燃烧控制"}}}},
		{"经管学院", []demoMajor{{"1201", "管理科学与工程", 1, []string{"供应链协同", "风险评估"}}, {"0202", "应用经济学", 1, []string{"产业升级", "数字贸易"}}, {"1251", "工商管理", 2, []string{"组织变革", "品牌管理"}}}},
		{"文学院", []demoMajor{{"0501", "中国语言文学", 1, []string{"方言语音", "古籍整理"}}, {"0502", "外国语言文学", 1, []string{"翻译策略", "跨文化叙事"}}, {"0453", "汉语国际教育", 2, []string{"课堂互动", "教材编写"}}}},
		{"生命学院", []demoMajor{{"0710", "生物学", 1, []string{"基因调控", "微生物群落"}}, {"0836", "生物工程", 1, []string{"发酵优化", "酶分子改造"}}, {"0860", "生物与医药", 2, []string{"药物递送", "细胞培养"}}}},
		{"艺术学院", []demoMajor{{"1301", "艺术学", 1, []string{"民间图像", "公共艺术"}}, {"1357", "设计", 2, []string{"适老设计", "服务设计"}}, {"1352", "音乐", 2, []string{"民族器乐", "合唱教学"}}}},
	},
	{
		{"理学院", []demoMajor{{"0701", "数学", 1, []string{"数值逼近", "随机过程"}}, {"0702", "物理学", 1, []string{"量子输运", "超快光学"}}}},
		{"工学院", []demoMajor{{"0801", "力学", 1, []string{"结构优化", "流固耦合"}}, {"0856", "材料与化工", 2, []string{"电极材料", "膜分离"}}}},
	},
}

// University names of the demo tenants by their index.
var demoUniversities = [2]string{"青岚大学", "临川理工"}
