# Writes CRDs, or objects of their kinds, as JSON lines. Every 1,000th object breaks a rule that
# only the new CRDs have.
#
#   awk -v crds=old|new -v kinds=100 -f objects.awk           one CRD per line
#   awk -v first=0 -v count=1000 -v kinds=100 -f objects.awk  objects number `first` to
#                                                             `first + count - 1`, one per line

# The properties of a Go struct of the size that controllers have. `tight` has further bounds.
function schema(tight,    image, replicas, port, rules, name) {
    name = "\"type\":\"string\",\"maxLength\":63,\"pattern\":\"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$\""
    image = "\"type\":\"string\",\"minLength\":1,\"maxLength\":" (tight ? 100 : 253)
    replicas = "\"type\":\"integer\",\"format\":\"int32\",\"minimum\":0" (tight ? ",\"maximum\":50" : "")
    port = "\"type\":\"integer\",\"format\":\"int32\",\"minimum\":1,\"maximum\":65535"
    rules = "{\"rule\":\"self.type == 'Disk' ? has(self.disk) : !has(self.disk)\",\"message\":\"disk is for the type Disk\"}," \
        "{\"rule\":\"self.type == 'Bucket' ? has(self.bucket) : !has(self.bucket)\",\"message\":\"bucket is for the type Bucket\"}"
    if (tight) rules = rules ",{\"rule\":\"!has(self.disk) || self.disk.class != 'slow'\",\"message\":\"slow disks are gone\"}"
    return "{\"type\":\"object\",\"properties\":{\"spec\":{\"type\":\"object\",\"required\":[\"replicas\",\"target\",\"containers\"],\"properties\":{" \
        "\"replicas\":{" replicas "}," \
        "\"paused\":{\"type\":\"boolean\",\"default\":false}," \
        "\"selector\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\",\"maxLength\":63}}," \
        "\"target\":{\"type\":\"object\",\"required\":[\"type\"],\"properties\":{" \
            "\"type\":{\"type\":\"string\",\"enum\":[\"Disk\",\"Bucket\"]}," \
            "\"disk\":{\"type\":\"object\",\"properties\":{\"class\":{\"type\":\"string\",\"maxLength\":20},\"size\":{\"type\":\"string\",\"maxLength\":20}}}," \
            "\"bucket\":{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":{" name "},\"region\":{\"type\":\"string\",\"maxLength\":20}}}}," \
            "\"x-kubernetes-validations\":[" rules "]}," \
        "\"containers\":{\"type\":\"array\",\"maxItems\":16,\"x-kubernetes-list-type\":\"map\",\"x-kubernetes-list-map-keys\":[\"name\"]," \
            "\"items\":{\"type\":\"object\",\"required\":[\"name\",\"image\"],\"properties\":{" \
            "\"name\":{" name "},\"image\":{" image "}," \
            "\"args\":{\"type\":\"array\",\"maxItems\":32,\"items\":{\"type\":\"string\",\"maxLength\":200}}," \
            "\"port\":{" port "}}," \
            "\"x-kubernetes-validations\":[{\"rule\":\"!has(self.port) || self.port != 22\",\"message\":\"port 22 is taken\"}]}}}}," \
        "\"status\":{\"type\":\"object\",\"properties\":{\"ready\":{\"type\":\"integer\"},\"phase\":{\"type\":\"string\",\"maxLength\":20}}}}}"
}

function crd(kind, tight,    plural) {
    plural = "workload" kind "s"
    printf "{\"apiVersion\":\"apiextensions.k8s.io/v1\",\"kind\":\"CustomResourceDefinition\",\"metadata\":{\"name\":\"%s.scale.example.com\"}," \
        "\"spec\":{\"group\":\"scale.example.com\",\"scope\":\"Namespaced\"," \
        "\"names\":{\"kind\":\"Workload%d\",\"plural\":\"%s\",\"singular\":\"workload%d\",\"listKind\":\"Workload%dList\"}," \
        "\"versions\":[{\"name\":\"v1\",\"served\":true,\"storage\":true,\"subresources\":{\"status\":{}},\"schema\":{\"openAPIV3Schema\":%s}}]}}\n",
        plural, kind, plural, kind, kind, schema(tight)
}

function object(number,    kind, target, replicas) {
    kind = number % kinds
    target = number % 3 ? \
        sprintf("{\"type\":\"Disk\",\"disk\":{\"class\":\"%s\",\"size\":\"%dGi\"}}", number % 1000 == 500 ? "slow" : "fast", number % 100 + 1) : \
        sprintf("{\"type\":\"Bucket\",\"bucket\":{\"name\":\"bucket-%d\",\"region\":\"north-%d\"}}", number, number % 7)
    replicas = number % 1000 == 999 ? 51 : number % 50
    printf "{\"apiVersion\":\"scale.example.com/v1\",\"kind\":\"Workload%d\",\"metadata\":{\"name\":\"workload-%d\",\"namespace\":\"team-%d\"," \
        "\"uid\":\"8a3f6c1e-0000-4000-8000-%012d\",\"resourceVersion\":\"%d\",\"generation\":3,\"creationTimestamp\":\"2026-01-02T03:04:05Z\"," \
        "\"labels\":{\"app\":\"workload-%d\",\"team\":\"team-%d\"},\"annotations\":{\"example.com/owner\":\"team-%d@example.com\"}}," \
        "\"spec\":{\"replicas\":%d,\"selector\":{\"app\":\"workload-%d\"},\"target\":%s,\"containers\":[" \
        "{\"name\":\"main\",\"image\":\"registry.example.com/team-%d/main:1.%d.0\",\"args\":[\"--number\",\"%d\",\"--verbose\"],\"port\":%d}," \
        "{\"name\":\"proxy\",\"image\":\"registry.example.com/shared/proxy:2.%d.1\",\"args\":[\"--upstream\",\"localhost:%d\"],\"port\":%d}]}," \
        "\"status\":{\"ready\":%d,\"phase\":\"Running\"}}\n",
        kind, number, number % 40, number, number + 1, number, number % 40, number % 40, replicas, number, target,
        number % 40, number % 30, number, 8000 + number % 100, number % 20, 8000 + number % 100, 9000 + number % 100, replicas
}

BEGIN {
    if (crds) {
        for (kind = 0; kind < kinds; kind++) crd(kind, crds == "new")
    } else {
        for (number = first; number < first + count; number++) object(number)
    }
}
